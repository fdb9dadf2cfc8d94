// The rules that a call of the API can break, with the fix.

import { bilingual } from '../../pages/language.ts';

export const apiRuleWords = bilingual(
  {
    access_token_expired: {
      cause: 'The access token is older than an hour.',
      fix: 'Refresh shortly before expires_in is over, and after a 401 once.',
    },
    access_token_revoked: {
      cause:
        'The access token was revoked: the member’s sign-in with the application is over or not usable at the moment.',
      fix: 'Stop calling. Try one refresh; if it is refused, ask the member to sign in again.',
    },
    refresh_token_as_access_token: {
      cause: 'A refresh token was sent to the API.',
      fix: 'Send the access_token. The refresh token goes to the token endpoint only.',
    },
    code_as_access_token: {
      cause: 'An authorization code was sent to the API.',
      fix: 'Exchange the code at the token endpoint first, and send the access_token that it returns.',
    },
    secret_as_access_token: {
      cause: 'The secret of the application was sent to the API.',
      fix: 'Send an access token of a member. The secret goes to the token endpoint only. If it went over somebody else’s computer, replace it.',
    },
    token_in_address: {
      cause:
        'A token of the application was sent in an address, where it is ignored. It has leaked: addresses end up in logs.',
      fix: 'Revoke the token, and send the next one in the header Authorization: Bearer.',
    },
    scope_lacking: {
      cause: 'The token lacks the scope that this address needs.',
      fix: 'Ask for the scope in the authorization request. Members can untick scopes: read scope in the token response.',
    },
    api_parameter_wrong: {
      cause: 'A parameter of the page is not a whole number, or was sent twice.',
      fix: 'Send page from 0 on, and size from 1 to 50, each once.',
    },
    api_path_unknown: {
      cause: 'There is nothing at this path.',
      fix: 'Compare it with the paths of the API. Look for a missing version or a doubled slash.',
    },
    api_method_unsupported: {
      cause: 'The API only reads.',
      fix: 'Send GET.',
    },
  },
  {
    access_token_expired: {
      cause: '访问令牌已超过一小时。',
      fix: '请在 expires_in 到期前刷新，遇到 401 时刷新一次。',
    },
    access_token_revoked: {
      cause: '访问令牌已被撤销：成员在此应用的登录已结束，或目前不可用。',
      fix: '请停止调用。可尝试刷新一次；如被拒绝，请让成员重新登录。',
    },
    refresh_token_as_access_token: {
      cause: '向 API 发送了刷新令牌。',
      fix: '请发送 access_token；刷新令牌只能发送到令牌端点。',
    },
    code_as_access_token: {
      cause: '向 API 发送了授权码。',
      fix: '请先在令牌端点兑换授权码，再发送得到的 access_token。',
    },
    secret_as_access_token: {
      cause: '向 API 发送了应用的密钥。',
      fix: '请发送成员的访问令牌；密钥只能发送到令牌端点。如果经过了他人的电脑，请更换密钥。',
    },
    token_in_address: {
      cause: '应用的令牌被放进了地址，会被忽略。地址会写入日志，因此令牌已泄露。',
      fix: '请撤销该令牌，并在请求头 Authorization: Bearer 中发送新的令牌。',
    },
    scope_lacking: {
      cause: '令牌缺少此地址需要的权限。',
      fix: '请在授权请求中请求该权限。成员可以取消勾选，请查看令牌应答中的 scope。',
    },
    api_parameter_wrong: {
      cause: '分页参数不是整数，或发送了两次。',
      fix: 'page 从 0 开始，size 为 1 到 50，各发送一次。',
    },
    api_path_unknown: {
      cause: '此路径不存在。',
      fix: '请与 API 的路径比较；检查是否缺少版本号或有重复斜杠。',
    },
    api_method_unsupported: {
      cause: 'API 只能读取。',
      fix: '请发送 GET。',
    },
  },
);
