// The members and posts of a set: the kinds that applications often don't expect.

import { DAY } from '../lib/clock.ts';

export interface TestMember {
  /** The beginning of the username. The end differs from set to set. */
  name: string;
  kind: TestMemberKind;
  bio: string;
  isMember: boolean;
  posts: readonly TestPost[];
}

/** What the member is there for. */
export type TestMemberKind = 'english' | 'chinese' | 'empty';

export interface TestPost {
  title: string;
  body: string;
  /** In milliseconds. */
  age: number;
}

const PARAGRAPH =
  'The dough rests in a cool room. In the morning it has doubled, and the kitchen smells of apples. ' +
  'Fold it twice, wait for half an hour, and fold it again.';

const SPECIAL: readonly Omit<TestPost, 'age'>[] = [
  {
    title: 'A <b>title</b> & "quotes" that need escaping',
    body: 'Text with <i>tags</i> & entities &amp; quotes.',
  },
  { title: 'Short', body: 'One line.' },
  {
    title: 'A long text with headings, a list, a table and code',
    body: [
      '# Rye bread',
      PARAGRAPH,
      '- 500 g flour\n- 350 g water\n- 10 g salt',
      '| Hour | Step |\n|---|---|\n| 1 | Knead |\n| 12 | Bake |',
      '```js\nbake({ degrees: 230, minutes: 45 });\n```',
      ...Array<string>(20).fill(PARAGRAPH),
    ].join('\n\n'),
  },
  { title: `${'A very long title '.repeat(6)}end`, body: '> Only a quotation.' },
  {
    title: 'Emoji 🍞, accents é ü, and العربية',
    body: 'Family: 👨‍👩‍👧. Combined: e\u0301. Right to left: مرحبا.',
  },
];

// More than the API's default page has.
const DIARY_POSTS = 22;

/** The members of every set. The first owns the application. */
export const TEST_MEMBERS: readonly TestMember[] = [
  {
    name: 'alice',
    kind: 'english',
    bio: 'Bakes bread, repairs bicycles.',
    isMember: true,
    posts: [
      ...Array.from({ length: DIARY_POSTS }, (_, index) => ({
        title: `Bread diary, day ${index + 1}`,
        body: PARAGRAPH,
        age: (60 - index) * DAY,
      })),
      ...SPECIAL.map((post, index) => ({ ...post, age: (20 - index) * DAY })),
    ],
  },
  {
    name: '林小禾',
    kind: 'chinese',
    bio: '每天走路，偶尔写字。喜欢旧书、茶和下雨天。',
    isMember: false,
    posts: [
      {
        title: '雨天读书',
        body: '下雨的时候，最适合坐在窗边读一本旧书。\n\n茶凉了，就再续一杯。',
        age: 9 * DAY,
      },
      {
        title: '从城东走到城西：一条路线',
        body: '## 出发\n\n早上六点，街上只有卖豆浆的人。\n\n1. 沿着河走\n2. 过三座桥\n3. 在老市场吃面\n\n## 到达\n\n一共走了两万三千步。',
        age: 5 * DAY,
      },
      { title: '𠮷野家与「生僻字」：𠀀𠀁', body: '这些字不在基本平面，每个占两个 UTF-16 单元。', age: DAY },
    ],
  },
  { name: 'bob', kind: 'empty', bio: '', isMember: false, posts: [] },
];

/** Callback addresses of the test application: those of the walk-through, the samples, and common tools. */
export const TEST_CALLBACKS: readonly string[] = [
  'http://127.0.0.1:8400/callback',
  'http://127.0.0.1:4000/callback',
  'http://localhost:4000/callback',
  'http://localhost:3000/callback',
  'http://localhost:5173/callback',
  'http://localhost:8080/callback',
];
