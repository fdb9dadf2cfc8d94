// The rules that a request to the token or the revocation endpoint can break, with the fix.

import { bilingual } from '../../pages/language.ts';

export const tokenRuleWords = bilingual(
  {
    method_unsupported: {
      cause: 'The endpoint takes POST only.',
      fix: 'Send a POST with a form body. Never put a secret into an address.',
    },
    content_type_wrong: {
      cause: 'The body is not a URL-encoded form.',
      fix: 'Send Content-Type: application/x-www-form-urlencoded, and the parameters as a form. JSON and multipart/form-data are not understood here.',
    },
    body_unreadable: {
      cause: 'The body was too large, incomplete, or one of too many at once.',
      fix: 'Send only the parameters that the documentation lists.',
    },
    header_malformed: {
      cause: 'The Authorization header can’t be read, or there are two.',
      fix: 'Send Basic with the base64 form of client_id:client_secret, both percent-encoded, once.',
    },
    assertion_unsupported: {
      cause: 'The request authenticates with a signed assertion.',
      fix: 'Send client_secret instead.',
    },
    secret_sent_twice: {
      cause: 'The secret is in the header and in the body.',
      fix: 'Send it in one of the two.',
    },
    client_ids_differ: {
      cause: 'The client_id in the body is not the one in the header.',
      fix: 'Send the id of one application.',
    },
    secret_missing: {
      cause: 'The application has a secret, but the request has none.',
      fix: 'Send client_secret in the body, or both in the Authorization header as Basic. Check that the variable with the secret is set where the program runs.',
    },
    secret_malformed: {
      cause:
        'What was sent as client_secret is not a secret of this site: another value, cut short, or with a space or a line break.',
      fix: 'Copy the secret again, whole. If you don’t have it any more, create a new one under Your applications.',
    },
    secret_replaced: {
      cause: 'The secret was replaced, and the time for which both were accepted is over.',
      fix: 'Use the newest secret in every place where the program runs. Compare the first characters of its SHA-256 digest with those shown here.',
    },
    secret_wrong: {
      cause:
        'The secret has the right form, but it is not a current one of this application: it was replaced, or belongs to another application.',
      fix: 'Use the newest secret in every place where the program runs. Compare the first characters of its SHA-256 digest with those shown here.',
    },
    secret_of_public_application: {
      cause:
        'The application is registered as a browser or native app, which has no secret, but the request has one.',
      fix: 'Leave client_secret out. If the program runs on your server, register it as a server app.',
    },
    grant_type_unsupported: {
      cause: 'This grant_type is not supported.',
      fix: 'Send authorization_code or refresh_token. Members’ passwords are never given to applications.',
    },
    code_malformed: {
      cause: 'What was sent as code is not a code of this site: another value, cut short, or encoded twice.',
      fix: 'Take the parameter code from the address of the callback, decoded once.',
    },
    code_unknown: {
      cause:
        'The code was not issued to this application: it belongs to another application or another site, or is days old.',
      fix: 'Redeem the code with the client_id that the authorization request had.',
    },
    code_used: {
      cause:
        'The code was redeemed before. As a precaution, all tokens of this member for the application have ended.',
      fix: 'Redeem each code once. Look for a callback that runs twice: a reloaded page, a second tab, a retry after a timeout.',
    },
    code_revoked: {
      cause: 'The code was revoked: the member’s sign-in with the application is over.',
      fix: 'Send the member to sign in again.',
    },
    code_expired: {
      cause: 'The code is older than 5 minutes.',
      fix: 'Redeem the code at once, in the callback. Compare the clocks if the times look wrong.',
    },
    code_redirect_uri_differs: {
      cause: 'The redirect_uri is not the one of the authorization request.',
      fix: 'Send the same address both times, written the same way. The code is still valid.',
    },
    verifier_missing: {
      cause: 'The authorization request had a code_challenge, but the code_verifier is missing.',
      fix: 'Keep the verifier in the browser’s session, and send it with the code. The code is still valid.',
    },
    verifier_unexpected: {
      cause: 'There is a code_verifier, but the authorization request had no code_challenge.',
      fix: 'Send code_challenge and code_challenge_method=S256 in the authorization request.',
    },
    verifier_mismatch: {
      cause: 'The S256 digest of the code_verifier is not the code_challenge of the authorization request.',
      fix: 'Keep one verifier for each request: a second tab often overwrites the first one’s. Hash the verifier as text, and encode the bytes as base64url without padding. The code is still valid.',
    },
    refresh_token_malformed: {
      cause:
        'What was sent as refresh_token is no refresh token of this site: another kind of token, or cut short.',
      fix: 'Send the refresh_token of the last answer. A database column may be too short for it.',
    },
    refresh_token_unknown: {
      cause: 'The refresh token was not issued to this application, or its sign-in ended long ago.',
      fix: 'Refresh with the client_id that got the token. If that is so, ask the member to sign in again.',
    },
    refresh_token_raced: {
      cause:
        'Two refreshes of the same sign-in ran at once. This one lost; the other one’s tokens are valid.',
      fix: 'Refresh in one place at a time, under a lock for each sign-in. Then read the stored tokens again instead of refreshing.',
    },
    refresh_token_used: {
      cause: 'The refresh token was used before, so the sign-in has ended: the token may have been stolen.',
      fix: 'Store the new refresh token of each answer before you use it, and refresh in one place at a time. Ask the member to sign in again.',
    },
    refresh_token_revoked: {
      cause: 'The refresh token was revoked: the member’s sign-in with the application is over.',
      fix: 'Delete the tokens of this sign-in, and ask the member to sign in again.',
    },
    refresh_token_expired: {
      cause:
        'The refresh token is older than 30 days, the sign-in is older than a year, or the time that the member allowed is over.',
      fix: 'Ask the member to sign in again.',
    },
    scope_wider: {
      cause: 'The refresh asks for more than the member allowed.',
      fix: 'Leave scope out, or ask for fewer. For more, send the member through an authorization request.',
    },
    too_many_requests: {
      cause: 'There were too many requests within a minute.',
      fix: 'Wait for as many seconds as Retry-After says, and keep results instead of asking again.',
    },
    token_not_own: {
      cause:
        'The token is not one of this application’s, or is long gone. Nothing was revoked, and the answer was 200 all the same.',
      fix: 'Revoke with the client_id that got the token, and send the whole token.',
    },
  },
  {
    method_unsupported: {
      cause: '此端点只接受 POST。',
      fix: '请用 POST 发送表单，绝不要把密钥放进地址。',
    },
    content_type_wrong: {
      cause: '请求体不是 URL 编码的表单。',
      fix: '请用 Content-Type: application/x-www-form-urlencoded 以表单发送参数；这里不接受 JSON 和 multipart/form-data。',
    },
    body_unreadable: {
      cause: '请求体过大、不完整，或同时发送过多。',
      fix: '请只发送文档列出的参数。',
    },
    header_malformed: {
      cause: '无法读取 Authorization 请求头，或有两个。',
      fix: '请只发送一次 Basic，内容为 client_id:client_secret（两者先做百分号编码）的 base64。',
    },
    assertion_unsupported: {
      cause: '请求用签名断言进行身份验证。',
      fix: '请改用 client_secret。',
    },
    secret_sent_twice: {
      cause: '密钥同时出现在请求头和请求体中。',
      fix: '请只用其中一种方式发送。',
    },
    client_ids_differ: {
      cause: '请求体中的 client_id 与请求头中的不同。',
      fix: '请只使用一个应用的 id。',
    },
    secret_missing: {
      cause: '该应用有密钥，但请求中没有。',
      fix: '请在请求体中发送 client_secret，或在 Authorization 请求头中用 Basic 发送。请检查运行环境中的密钥变量。',
    },
    secret_malformed: {
      cause: 'client_secret 的值不是本站的密钥：填错、被截断，或带有空格、换行。',
      fix: '请重新完整复制密钥；如果已丢失，请在“您的应用”中创建新的。',
    },
    secret_replaced: {
      cause: '该密钥已被更换，新旧并用的期限已过。',
      fix: '请在程序运行的每个地方使用最新密钥，并用其 SHA-256 摘要的开头与此处比较。',
    },
    secret_wrong: {
      cause: '密钥格式正确，但不是此应用当前的密钥：已被更换，或属于另一个应用。',
      fix: '请在程序运行的每个地方使用最新密钥，并用其 SHA-256 摘要的开头与此处比较。',
    },
    secret_of_public_application: {
      cause: '该应用登记为公开客户端，没有密钥，但请求中有。',
      fix: '请去掉 client_secret。如果程序运行在您的服务器上，请登记为机密客户端。',
    },
    grant_type_unsupported: {
      cause: '不支持此 grant_type。',
      fix: '请使用 authorization_code 或 refresh_token。成员的密码绝不会交给应用。',
    },
    code_malformed: {
      cause: 'code 的值不是本站的授权码：填错、被截断或重复编码。',
      fix: '请从回调地址中取出 code 参数，只解码一次。',
    },
    code_unknown: {
      cause: '授权码不是发给此应用的：属于其他应用或站点，或已是几天前的。',
      fix: '请用授权请求中的同一个 client_id 兑换授权码。',
    },
    code_used: {
      cause: '授权码已被兑换过。为安全起见，该成员在此应用的所有令牌均已失效。',
      fix: '每个授权码只兑换一次。请检查回调是否执行了两次：刷新页面、第二个标签页、超时重试。',
    },
    code_revoked: {
      cause: '授权码已被撤销：成员在此应用的登录已结束。',
      fix: '请让成员重新登录。',
    },
    code_expired: {
      cause: '授权码已超过 5 分钟。',
      fix: '请在回调中立即兑换；如果时间不对，请检查时钟。',
    },
    code_redirect_uri_differs: {
      cause: 'redirect_uri 与授权请求中的不同。',
      fix: '两次请求必须发送完全相同的地址。该授权码仍然有效。',
    },
    verifier_missing: {
      cause: '授权请求有 code_challenge，但缺少 code_verifier。',
      fix: '请把 verifier 保存在浏览器会话中，并与授权码一起发送。该授权码仍然有效。',
    },
    verifier_unexpected: {
      cause: '有 code_verifier，但授权请求没有 code_challenge。',
      fix: '请在授权请求中发送 code_challenge 和 code_challenge_method=S256。',
    },
    verifier_mismatch: {
      cause: 'code_verifier 的 S256 摘要与授权请求中的 code_challenge 不同。',
      fix: '每个请求保存各自的 verifier：第二个标签页常会覆盖第一个。请对 verifier 文本求摘要，并把字节编码为不带填充的 base64url。该授权码仍然有效。',
    },
    refresh_token_malformed: {
      cause: 'refresh_token 的值不是本站的刷新令牌：类型不对或被截断。',
      fix: '请发送上次应答中的 refresh_token；数据库列可能太短。',
    },
    refresh_token_unknown: {
      cause: '刷新令牌不是发给此应用的，或对应的登录早已结束。',
      fix: '请用获得该令牌的 client_id 刷新；如果已是如此，请让成员重新登录。',
    },
    refresh_token_raced: {
      cause: '同一登录的两次刷新同时进行。这一次失败，另一次获得的令牌有效。',
      fix: '每个登录同一时间只在一处刷新（加锁）；之后重新读取已保存的令牌，不要再次刷新。',
    },
    refresh_token_used: {
      cause: '刷新令牌已使用过，令牌可能被盗，因此该登录已结束。',
      fix: '先保存每次应答中的新刷新令牌再使用，并且同一时间只在一处刷新。请让成员重新登录。',
    },
    refresh_token_revoked: {
      cause: '刷新令牌已被撤销：成员在此应用的登录已结束。',
      fix: '请删除该登录的令牌，并让成员重新登录。',
    },
    refresh_token_expired: {
      cause: '刷新令牌超过 30 天、登录超过一年，或成员允许的期限已到。',
      fix: '请让成员重新登录。',
    },
    scope_wider: {
      cause: '刷新时请求的权限超出成员的允许范围。',
      fix: '请去掉 scope 或减少权限；需要更多权限时，请让成员重新授权。',
    },
    too_many_requests: {
      cause: '一分钟内请求过多。',
      fix: '请按 Retry-After 的秒数等待，并保存结果，避免重复请求。',
    },
    token_not_own: {
      cause: '该令牌不属于此应用，或早已不存在。没有撤销任何令牌，但仍返回 200。',
      fix: '请用获得该令牌的 client_id 撤销，并发送完整的令牌。',
    },
  },
);
