// The actions and subjects of the audit log, in words.

import type { AuditAction, AuditSubjectKind } from '../../../audit/audit-log.ts';
import { bilingual } from '../../pages/language.ts';

/** Each action as the table says it: "olivia suspended member 12". */
export const ACTION_WORDS = bilingual<Record<AuditAction, string>>(
  {
    'user.suspend': 'suspended',
    'user.reactivate': 'reactivated',
    'user.close': 'closed the account',
    'user.set_membership': 'changed the membership',
    'user.make_operator': 'gave operator rights',
    'user.unmake_operator': 'removed operator rights',
    'post.remove': 'removed',
    'comment.remove': 'removed',
    'report.keep': 'kept after reports',
    'report.close': 'closed the reports (already removed)',
    'client.create': 'registered',
    'client.activate': 'activated',
    'client.deactivate': 'deactivated',
    'client.rotate_secret': 'replaced the secret',
    'consent.withdraw': 'removed an application’s access',
    'token.revoke': 'revoked',
    'invitation.create': 'created',
    'invitation.revoke': 'revoked',
    'keys.rotate': 'activated for signing',
    'category.create': 'added',
    'category.rename': 'renamed',
  },
  {
    'user.suspend': '暂停',
    'user.reactivate': '恢复',
    'user.close': '关闭账号',
    'user.set_membership': '设置会员资格',
    'user.make_operator': '设为管理员',
    'user.unmake_operator': '取消管理员',
    'post.remove': '移除',
    'comment.remove': '移除',
    'report.keep': '处理举报，予以保留',
    'report.close': '结束举报（内容已移除）',
    'client.create': '注册',
    'client.activate': '启用',
    'client.deactivate': '停用',
    'client.rotate_secret': '更换密钥',
    'consent.withdraw': '移除应用的访问权限',
    'token.revoke': '撤销',
    'invitation.create': '创建',
    'invitation.revoke': '撤销',
    'keys.rotate': '启用签名',
    'category.create': '新增',
    'category.rename': '更名',
  },
);

/** Each kind of subject. */
export const SUBJECT_WORDS = bilingual<Record<AuditSubjectKind, string>>(
  {
    user: 'member',
    post: 'post',
    comment: 'comment',
    client: 'application',
    category: 'category',
    invitation: 'invitation',
    key: 'signing key',
    token: 'token',
  },
  {
    user: '成员',
    post: '文章',
    comment: '评论',
    client: '应用',
    category: '分类',
    invitation: '邀请',
    key: '签名密钥',
    token: '令牌',
  },
);
