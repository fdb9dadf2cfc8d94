// What each fault does, and what a good application does then.

import { bilingual } from '../pages/language.ts';
import type { FaultName } from './fault-acts.ts';

interface FaultWords {
  title: string;
  /** What happens. */
  effect: string;
  /** What a good application does. */
  advice: string;
  button: string;
  /** The confirmation. */
  done: string;
}

const NEXT_CALL = 'Waiting for the next API call.';

export const faultWords = bilingual<Record<FaultName, FaultWords>>(
  {
    short_tokens: {
      title: 'Access tokens expire after an hour',
      effect: 'As in a community: expires_in is 3600.',
      advice: 'It refreshes when expires_in is over, or when the API answers 401, and then repeats the call.',
      button: 'Let tokens expire after 10 seconds',
      done: 'New access tokens expire after 10 seconds.',
    },
    long_tokens: {
      title: 'Access tokens expire after 10 seconds',
      effect: 'expires_in is 10, so your application has to refresh all the time.',
      advice:
        'It refreshes when expires_in is over, or when the API answers 401, and then repeats the call. Calls that run at the same time share one refresh.',
      button: 'Let tokens expire after an hour',
      done: 'New access tokens expire after an hour.',
    },
    api_limited: {
      title: 'The next API call is answered with 429',
      effect: 'As if the token had made too many requests. Retry-After says how long to wait.',
      advice: 'It waits as long as Retry-After says, and repeats the call.',
      button: 'Limit the next API call',
      done: NEXT_CALL,
    },
    api_unavailable: {
      title: 'The next API call is answered with 503',
      effect: 'As if the database could not be reached.',
      advice: 'It keeps its tokens, waits as long as Retry-After says, and repeats the call.',
      button: 'Fail the next API call',
      done: NEXT_CALL,
    },
    tokens_unavailable: {
      title: 'The next token request is answered with 503',
      effect: 'The request changes nothing: the code or refresh token in it can still be used.',
      advice: 'It keeps its refresh token, waits as long as Retry-After says, and sends it again.',
      button: 'Fail the next token request',
      done: 'Waiting for the next token request.',
    },
    key: {
      title: 'The signing keys are replaced',
      effect:
        'The next id_token is signed with a new key, and the old key is not published any more. All developers here share the keys, so this works once a minute.',
      advice:
        'It meets a key ID that it doesn’t know, fetches the published keys again, and verifies with the new key.',
      button: 'Replace the keys',
      done: 'The keys were replaced. Sign in again with your application.',
    },
    code_expired: {
      title: 'The next authorization code has expired',
      effect: 'The token endpoint answers invalid_grant, as if the code had come after more than 5 minutes.',
      advice: 'It doesn’t send the code again. It tells the member, and begins the sign-in again.',
      button: 'Expire the next code',
      done: 'Waiting for the next authorization code.',
    },
    refresh_replayed: {
      title: 'The next refresh token counts as used',
      effect:
        'As if someone had stolen it: the token endpoint answers invalid_grant, and the sign-in ends with all its tokens.',
      advice: 'It discards its tokens and asks the member to sign in again. It doesn’t try another time.',
      button: 'Replay the next refresh',
      done: 'Waiting for the next refresh.',
    },
    withdrawn: {
      title: 'The member withdraws consent',
      effect: 'All tokens of the member’s applications are refused from now on.',
      advice: 'It discards its tokens and shows its sign-in button. The next sign-in asks for consent again.',
      button: 'Withdraw consent',
      done: 'Consent was withdrawn from all applications of the member.',
    },
    suspended: {
      title: 'The member is suspended',
      effect:
        'All tokens of the member are refused, in the same words as after a withdrawal. It can be undone.',
      advice:
        'It discards its tokens and asks the member to sign in again. It can’t know the reason, and doesn’t guess.',
      button: 'Suspend the member',
      done: 'The member is suspended and signed out.',
    },
  },
  {
    short_tokens: {
      title: '访问令牌一小时后过期',
      effect: '与社区相同：expires_in 为 3600。',
      advice: '在 expires_in 到期或 API 返回 401 时刷新，然后重试该请求。',
      button: '改为 10 秒后过期',
      done: '新的访问令牌将在 10 秒后过期。',
    },
    long_tokens: {
      title: '访问令牌 10 秒后过期',
      effect: 'expires_in 为 10，您的应用需要不断刷新。',
      advice: '在 expires_in 到期或 API 返回 401 时刷新，然后重试该请求。同时进行的请求共用一次刷新。',
      button: '改为一小时后过期',
      done: '新的访问令牌将在一小时后过期。',
    },
    api_limited: {
      title: '下一次 API 请求返回 429',
      effect: '如同令牌的请求过多。Retry-After 说明需要等待多久。',
      advice: '按 Retry-After 等待，然后重试。',
      button: '限制下一次 API 请求',
      done: '正在等待下一次 API 请求。',
    },
    api_unavailable: {
      title: '下一次 API 请求返回 503',
      effect: '如同数据库无法连接。',
      advice: '保留令牌，按 Retry-After 等待，然后重试。',
      button: '让下一次 API 请求失败',
      done: '正在等待下一次 API 请求。',
    },
    tokens_unavailable: {
      title: '下一次令牌请求返回 503',
      effect: '该请求不作任何更改：其中的授权码或刷新令牌仍然可用。',
      advice: '保留刷新令牌，按 Retry-After 等待，然后再次发送。',
      button: '让下一次令牌请求失败',
      done: '正在等待下一次令牌请求。',
    },
    key: {
      title: '更换签名密钥',
      effect:
        '下一个 id_token 由新密钥签名，旧密钥不再公布。这里的所有开发者共用密钥，因此每分钟只能更换一次。',
      advice: '遇到未知的密钥 ID 时，重新获取公布的密钥，再用新密钥验证。',
      button: '更换密钥',
      done: '密钥已更换。请用您的应用重新登录。',
    },
    code_expired: {
      title: '下一个授权码已过期',
      effect: '令牌端点返回 invalid_grant，如同授权码在 5 分钟之后才送达。',
      advice: '不再发送该授权码，而是告知成员并重新开始登录。',
      button: '让下一个授权码过期',
      done: '正在等待下一个授权码。',
    },
    refresh_replayed: {
      title: '下一个刷新令牌视为已使用',
      effect: '如同令牌被盗：令牌端点返回 invalid_grant，该次登录及其所有令牌均告失效。',
      advice: '丢弃令牌，请成员重新登录，不再重试。',
      button: '让下一次刷新视为重复使用',
      done: '正在等待下一次刷新。',
    },
    withdrawn: {
      title: '成员撤回授权',
      effect: '该成员的所有应用的令牌立即失效。',
      advice: '丢弃令牌，显示登录按钮。下次登录会再次请求授权。',
      button: '撤回授权',
      done: '已撤回该成员对所有应用的授权。',
    },
    suspended: {
      title: '成员被停用',
      effect: '该成员的所有令牌均被拒绝，提示与撤回授权时相同。可以恢复。',
      advice: '丢弃令牌，请成员重新登录。应用无法得知原因，也不应猜测。',
      button: '停用该成员',
      done: '该成员已被停用并退出登录。',
    },
  },
);
