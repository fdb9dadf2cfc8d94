// The words about each request of a trial, and about each check of its id_token.

import type { IdTokenCheckName } from '../../../oauth/id-token-check.ts';
import { bilingual } from '../../pages/language.ts';
import type { TrialStep } from './trial-run.ts';

/** What each request is for. */
export const stepWords = bilingual<Record<TrialStep, { title: string; means: string }>>(
  {
    exchange: {
      title: 'Exchange the code for tokens',
      means:
        'Your server sends the code with the same redirect_uri and with the verifier of the code_challenge. Read scope in the answer: it says what the member allowed.',
    },
    profile: {
      title: 'Read the profile',
      means:
        'The access token belongs in the Authorization header. Recognise the member by id, which never changes.',
    },
    posts: {
      title: 'Read the posts',
      means: 'Pages are counted from 0 and have at most 50 posts. Times are in UTC+8, without an offset.',
    },
    userinfo: {
      title: 'Ask who signed in',
      means:
        'With openid, this endpoint of OpenID Connect says who the member is. Its sub is the one in the id_token.',
    },
    keys: {
      title: 'Get the keys, and verify the id_token',
      means:
        'Your application can keep these keys for five minutes. It chooses the key by the kid in the header of the id_token.',
    },
    refresh: {
      title: 'Refresh',
      means:
        'The answer has a new access token and a new refresh token. Store the new refresh token first: the old one stopped working.',
    },
    revokeAccess: {
      title: 'Revoke the access token',
      means: 'Only this access token ends. The answer is {}, also for a token that had ended before.',
    },
    revoked: {
      title: 'Use the revoked access token',
      means:
        'It is refused at once, with the same answer as an expired or unknown token. An application refreshes now.',
    },
    refreshAgain: {
      title: 'Refresh again',
      means: 'The sign-in is still valid, so the newest refresh token works.',
    },
    replay: {
      title: 'Use the first refresh token again',
      means:
        'Two parties seem to have it, and one may be a thief. The request is refused, and the whole sign-in ends. Two refreshes at the same time look the same, so let one process refresh at a time.',
    },
    ended: {
      title: 'Use the newest access token',
      means:
        'The reuse ended this one too. An application now discards its tokens and asks the member to sign in again.',
    },
    signOut: {
      title: 'Sign out',
      means:
        'When a member signs out of your application, revoke the refresh token: the whole sign-in ends. Here it had ended already, and the answer is the same.',
    },
  },
  {
    exchange: {
      title: '用授权码换取令牌',
      means:
        '您的服务器发送授权码、与之前相同的 redirect_uri，以及 code_challenge 所对应的 verifier。请读取响应中的 scope：它说明成员允许了什么。',
    },
    profile: {
      title: '读取个人资料',
      means: '访问令牌放在 Authorization 请求头中。请用 id 识别成员，它永不改变。',
    },
    posts: {
      title: '读取文章',
      means: '页码从 0 开始，每页最多 50 篇。时间为 UTC+8，不带时区偏移。',
    },
    userinfo: {
      title: '查询登录者',
      means: '有 openid 权限时，OpenID Connect 的这个端点说明成员是谁。其中的 sub 与 id_token 中的相同。',
    },
    keys: {
      title: '获取公钥并验证 id_token',
      means: '您的应用可以缓存这些公钥五分钟，并按 id_token 头部的 kid 选用其中一个。',
    },
    refresh: {
      title: '刷新',
      means: '响应中有新的访问令牌和新的刷新令牌。请先保存新的刷新令牌，旧的已经失效。',
    },
    revokeAccess: {
      title: '撤销访问令牌',
      means: '只有这个访问令牌失效。即使令牌此前已失效，响应也是 {}。',
    },
    revoked: {
      title: '使用已撤销的访问令牌',
      means: '它立即被拒绝，响应与令牌过期或不存在时相同。此时应用应当刷新。',
    },
    refreshAgain: {
      title: '再次刷新',
      means: '登录仍然有效，因此最新的刷新令牌可以使用。',
    },
    replay: {
      title: '重复使用第一个刷新令牌',
      means:
        '这说明可能有两方持有它，其中一方可能是盗用者。请求被拒绝，整个登录随之终止。两个同时进行的刷新看起来也是如此，因此同一时间只应有一个进程刷新。',
    },
    ended: {
      title: '使用最新的访问令牌',
      means: '重复使用也使它失效。此时应用应当丢弃令牌，让成员重新登录。',
    },
    signOut: {
      title: '退出登录',
      means: '成员退出您的应用时，请撤销刷新令牌，整个登录随之终止。这里登录此前已经终止，响应仍然相同。',
    },
  },
);

/** What each check of the id_token is about. */
export const checkWords = bilingual<Record<IdTokenCheckName, string>>(
  {
    alg: 'It is the algorithm of your application, not any that the token names.',
    signature: 'The published key with this kid verifies it.',
    iss: 'This site issued it.',
    aud: 'It is for this application and no other.',
    exp: 'It has not expired. In seconds since 1970.',
    nonce: 'It belongs to this authorization request.',
    at_hash: 'It belongs to this access token: half of its SHA-256 digest.',
  },
  {
    alg: '是您的应用登记的算法，而不是令牌自行指定的算法。',
    signature: '已公布的公钥中 kid 相同的那个可以验证签名。',
    iss: '由本站签发。',
    aud: '只发给此应用。',
    exp: '尚未过期。自 1970 年起的秒数。',
    nonce: '属于这次授权请求。',
    at_hash: '属于这个访问令牌：其 SHA-256 摘要的前一半。',
  },
);
