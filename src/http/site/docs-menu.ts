// The menu of the documentation: its chapters in groups.

import { html } from 'hono/html';
import { bilingual } from '../pages/language.ts';
import type { Html } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { CHAPTER_GROUPS, chapterPath } from './chapters.ts';
import { sectionMenu } from './section-menu.ts';

/** The menu, with the visitor's own page marked. */
export function docsMenu(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  return html`
    <div class="groups">
      ${Object.entries(CHAPTER_GROUPS).map(([group, files]) => {
        const items = files.map((file) => {
          const path = chapterPath(file);
          const isHere = c.req.path === path || (file === 'errors' && c.req.path.startsWith(`${path}/`));
          return { path, name: t.chapters[file], isHere };
        });
        const label = t.groups[group as keyof typeof CHAPTER_GROUPS];
        return html`<p class="eyebrow" aria-hidden="true">${label}</p>${sectionMenu(label, items)}`;
      })}
    </div>`;
}

const words = bilingual(
  {
    groups: { start: 'Start', guides: 'Guides', reference: 'Reference', service: 'This service' },
    chapters: {
      index: 'Choose your program',
      'quick-start-server': 'Web server',
      'quick-start-page': 'Browser-only page',
      'quick-start-device': 'Phone or desktop',
      'quick-start-script': 'Script for yourself',
      'walk-through': 'Step by step with curl',
      register: 'Register an application',
      openid: 'OpenID Connect',
      tokens: 'Tokens',
      library: 'Client library',
      sandbox: 'Sandbox',
      assistants: 'Assistants',
      events: 'Events',
      reference: 'API reference',
      api: 'Read-only API',
      errors: 'Errors',
      inspector: 'See your requests',
      changes: 'What changed',
      deprecation: 'Deprecation policy',
      status: 'Status',
      security: 'Report a vulnerability',
    },
  },
  {
    groups: { start: '开始', guides: '指南', reference: '参考', service: '本服务' },
    chapters: {
      index: '选择程序类型',
      'quick-start-server': '网站服务器',
      'quick-start-page': '纯浏览器页面',
      'quick-start-device': '手机或桌面程序',
      'quick-start-script': '自用脚本',
      'walk-through': '用 curl 逐步操作',
      register: '注册应用',
      openid: 'OpenID Connect',
      tokens: '令牌',
      library: '客户端库',
      sandbox: '沙盒',
      assistants: 'AI 助手',
      events: '事件',
      reference: 'API 参考',
      api: '只读 API',
      errors: '错误',
      inspector: '查看请求',
      changes: '变更记录',
      deprecation: '弃用政策',
      status: '服务状态',
      security: '报告安全漏洞',
    },
  },
);
