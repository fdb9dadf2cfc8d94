// The rules that an authorization request can break, with the fix, for the request inspector.

import { bilingual } from '../../pages/language.ts';

export const authorizationRuleWords = bilingual(
  {
    application_deactivated: {
      cause: 'The application is deactivated.',
      fix: 'Activate it under Your applications. If the operators of this community deactivated it, write to them.',
    },
    redirect_uri_missing: {
      cause: 'The request names no callback address.',
      fix: 'Send redirect_uri with one of the registered addresses, written exactly as registered.',
    },
    redirect_uri_unregistered: {
      cause:
        'The callback address is not registered for the application. Addresses are compared character by character.',
      fix: 'Send one of the registered addresses, or register this one under Your applications. Check the slash at the end, http and https, the port and the host.',
    },
    parameter_missing: {
      cause: 'A required parameter is missing. Empty counts as missing.',
      fix: 'Send the parameter.',
    },
    parameter_repeated: {
      cause: 'A parameter was sent more than once.',
      fix: 'Send each parameter once. Look for a library that adds one that you add too.',
    },
    parameter_malformed: {
      cause: 'A parameter contains a character that is not allowed anywhere.',
      fix: 'Encode the parameters as UTF-8, without the character NUL.',
    },
    parameter_not_supported: {
      cause: 'The parameter belongs to an extension that this server doesn’t have.',
      fix: 'Leave it out, and send plain parameters instead of request objects.',
    },
    state_missing: {
      cause: 'The request has no state.',
      fix: 'Send a new random state with each request, keep it in the browser’s session, and compare it when the browser comes back.',
    },
    state_unusable: {
      cause: 'The state can’t be sent back unchanged.',
      fix: 'Use letters and digits, such as 32 random hexadecimal characters.',
    },
    nonce_missing: {
      cause: 'The scope openid was asked for, but the request has no nonce.',
      fix: 'Send a new random nonce with each request, and compare it with the one in the id_token. Most OpenID libraries do both.',
    },
    nonce_too_long: {
      cause: 'The nonce has more than 1,024 characters.',
      fix: 'Use a short random text, such as 32 hexadecimal characters. Keep everything else in your application’s session.',
    },
    response_type_unsupported: {
      cause: 'This server only answers with a code.',
      fix: 'Send response_type=code. The implicit flow, which puts tokens into addresses, is not supported.',
    },
    response_mode_unsupported: {
      cause: 'This way of sending the answer back is not supported.',
      fix: 'Leave response_mode out, or send query or form_post.',
    },
    scope_missing: {
      cause: 'The request asks for no scope.',
      fix: 'Send scope with what you need, separated by spaces.',
    },
    scope_malformed: {
      cause: 'The scope contains a character that no scope has.',
      fix: 'Separate scopes by single spaces, not by commas or quotation marks.',
    },
    scope_unknown: {
      cause: 'There is no scope of this name, so it was left out.',
      fix: 'Correct the spelling. If no other scope was asked for, the request is refused.',
    },
    scope_unregistered: {
      cause: 'The application is not registered for this scope, so it was left out.',
      fix: 'Add the scope under Your applications, or stop asking for it.',
    },
    challenge_missing: {
      cause: 'The request has no code_challenge, but this kind of application must use PKCE.',
      fix: 'Create a random code_verifier for each request, and send its S256 challenge. Most libraries do it if you switch PKCE on.',
    },
    challenge_method_unsupported: {
      cause: 'Only the method S256 is supported. If none is sent, plain is meant.',
      fix: 'Send code_challenge_method=S256 and the SHA-256 digest of the verifier.',
    },
    challenge_malformed: {
      cause: 'The code_challenge doesn’t have the form of an S256 challenge.',
      fix: 'Encode the 32 bytes of the digest as base64url without padding, not their hexadecimal form.',
    },
    prompt_unsupported: {
      cause: 'A value of prompt is not known, or none stands beside another.',
      fix: 'Send none alone, or login, consent and select_account.',
    },
    max_age_malformed: {
      cause: 'max_age is not a number of seconds.',
      fix: 'Send a whole number, such as max_age=3600.',
    },
    sign_in_needed: {
      cause: 'The member is not signed in here, or not recently enough, and prompt=none allows no page.',
      fix: 'Send the request again without prompt=none, in a whole window of the browser.',
    },
    consent_needed: {
      cause: 'The member has to be asked for consent, and prompt=none allows no page.',
      fix: 'Send the request again without prompt=none, in a whole window of the browser.',
    },
    another_member: {
      cause: 'The id_token_hint belongs to another member than the one who is signed in.',
      fix: 'Discard the old session of your application, and ask without the hint.',
    },
    member_denied: {
      cause: 'The member pressed Deny, or left no scope ticked.',
      fix: 'Nothing is wrong. Offer to try again, and say why you need the data.',
    },
    too_many_consents: {
      cause: 'The member allowed access very often within an hour.',
      fix: 'Look for a loop that sends the member here again and again.',
    },
    too_many_sign_ins: {
      cause:
        'The member signed in at the application more than 60 times within a minute, or 500 times within a day, or at all applications together more than 2,000 times within a day. Without prompt=none, the consent page asks.',
      fix: 'Look for a loop, and keep the session of your application instead of asking for each page.',
    },
  },
  {
    application_deactivated: {
      cause: '该应用已停用。',
      fix: '请在“您的应用”中重新启用；如果是社区管理员停用的，请联系他们。',
    },
    redirect_uri_missing: {
      cause: '请求没有写明回调地址。',
      fix: '请发送 redirect_uri，其值与已登记的地址完全相同。',
    },
    redirect_uri_unregistered: {
      cause: '该回调地址没有为此应用登记。地址会逐字符比较。',
      fix: '请使用已登记的地址，或在“您的应用”中登记此地址。请检查末尾斜杠、http 与 https、端口和主机名。',
    },
    parameter_missing: {
      cause: '缺少必需的参数（空值视为缺少）。',
      fix: '请发送该参数。',
    },
    parameter_repeated: {
      cause: '同一参数发送了多次。',
      fix: '每个参数只发送一次；请检查库是否重复添加了您已添加的参数。',
    },
    parameter_malformed: {
      cause: '参数中含有不允许的字符。',
      fix: '请用 UTF-8 编码参数，并去掉 NUL 字符。',
    },
    parameter_not_supported: {
      cause: '该参数属于本服务器不支持的扩展。',
      fix: '请去掉该参数，改用普通参数，不要使用请求对象。',
    },
    state_missing: {
      cause: '请求没有 state。',
      fix: '每次请求都发送新的随机 state，保存在浏览器会话中，并在回调时比较。',
    },
    state_unusable: {
      cause: 'state 无法原样返回。',
      fix: '请只用字母和数字，例如 32 个随机十六进制字符。',
    },
    nonce_missing: {
      cause: '请求了 openid，但没有 nonce。',
      fix: '每次请求都发送新的随机 nonce，并与 id_token 中的值比较；多数 OpenID 库会自动处理。',
    },
    nonce_too_long: {
      cause: 'nonce 超过 1024 个字符。',
      fix: '请使用简短的随机文本，例如 32 个十六进制字符；其他数据请保存在应用自己的会话中。',
    },
    response_type_unsupported: {
      cause: '本服务器只返回授权码。',
      fix: '请发送 response_type=code。不支持把令牌放进地址的隐式流程。',
    },
    response_mode_unsupported: {
      cause: '不支持这种返回方式。',
      fix: '请去掉 response_mode，或使用 query、form_post。',
    },
    scope_missing: {
      cause: '请求没有 scope。',
      fix: '请在 scope 中写明所需的权限，以空格分隔。',
    },
    scope_malformed: {
      cause: 'scope 中有不允许的字符。',
      fix: '权限之间用一个空格分隔，不要用逗号或引号。',
    },
    scope_unknown: {
      cause: '没有这个名称的权限，已被忽略。',
      fix: '请更正拼写。如果没有请求其他权限，请求会被拒绝。',
    },
    scope_unregistered: {
      cause: '该应用没有登记此权限，已被忽略。',
      fix: '请在“您的应用”中添加该权限，或不再请求它。',
    },
    challenge_missing: {
      cause: '请求没有 code_challenge，而此类应用必须使用 PKCE。',
      fix: '每次请求创建随机的 code_verifier，并发送其 S256 摘要；多数库开启 PKCE 后会自动处理。',
    },
    challenge_method_unsupported: {
      cause: '只支持 S256；不写即表示 plain。',
      fix: '请发送 code_challenge_method=S256，并发送 verifier 的 SHA-256 摘要。',
    },
    challenge_malformed: {
      cause: 'code_challenge 不符合 S256 的格式。',
      fix: '请把摘要的 32 个字节（不是十六进制文本）编码为不带填充的 base64url。',
    },
    prompt_unsupported: {
      cause: 'prompt 的值未知，或 none 与其他值同时出现。',
      fix: 'none 只能单独使用；其他可用值为 login、consent、select_account。',
    },
    max_age_malformed: {
      cause: 'max_age 不是秒数。',
      fix: '请发送整数，例如 max_age=3600。',
    },
    sign_in_needed: {
      cause: '成员未登录或登录时间过久，而 prompt=none 不允许显示页面。',
      fix: '请去掉 prompt=none，在完整的浏览器窗口中重新发送请求。',
    },
    consent_needed: {
      cause: '需要征得成员同意，而 prompt=none 不允许显示页面。',
      fix: '请去掉 prompt=none，在完整的浏览器窗口中重新发送请求。',
    },
    another_member: {
      cause: 'id_token_hint 属于另一位成员，而不是当前登录的成员。',
      fix: '请丢弃应用中的旧会话，并去掉该提示重新请求。',
    },
    member_denied: {
      cause: '成员点了“拒绝”，或没有勾选任何权限。',
      fix: '没有错误。请允许成员重试，并说明为什么需要这些数据。',
    },
    too_many_consents: {
      cause: '该成员一小时内多次授权。',
      fix: '请检查应用是否反复把成员带到这里。',
    },
    too_many_sign_ins: {
      cause:
        '该成员登录该应用一分钟内超过 60 次，或一天内超过 500 次；或一天内登录所有应用共超过 2,000 次。没有 prompt=none 时，会显示授权页面询问成员。',
      fix: '请检查是否有循环；请使用应用自己的会话，不要每个页面都重新请求登录。',
    },
  },
);
