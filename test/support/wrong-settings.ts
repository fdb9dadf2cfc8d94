// Settings that can't be used, with the answer of a command.

/** The settings, the command line, the exit code and the answer. */
export type WrongInput = [settings: Record<string, string>, words: string[], code: number, answer: string];

const LIST = ['client', 'list'];

export const WRONG_SETTINGS: WrongInput[] = [
  [{ PORT: 'x' }, LIST, 2, 'PORT: must be a whole number from 0 to 65535, not "x"'],
  [{ METRICS_PORT: '3000' }, LIST, 2, 'METRICS_PORT: must differ from PORT, and both are 3000'],
  [
    { BASE_URL: 'community.example' },
    LIST,
    2,
    'BASE_URL: must be an absolute https address such as https://community.example, not "community.example"',
  ],
  [
    { BASE_URL: 'http://community.example' },
    LIST,
    2,
    'BASE_URL: http is for this machine only; use https instead of http://community.example',
  ],
  [
    { BASE_URL: 'https://community.example/portico' },
    LIST,
    2,
    'BASE_URL: must be only scheme, host and port, such as https://community.example, without path, query or user name',
  ],
  [
    { DATABASE_URL: 'mysql://root:hush@db' },
    LIST,
    2,
    'DATABASE_URL: must begin with file: or postgres://, not mysql://',
  ],
  [
    { DATABASE_URL: 'postgres://portico:hush@127.0.0.1:1/portico' },
    LIST,
    1,
    'DATABASE_URL: cannot connect to 127.0.0.1:1: no program is listening there.',
  ],
  [{ REDIS_URL: 'http://x' }, LIST, 2, 'REDIS_URL: must begin with redis:// or rediss://, not http://'],
  [
    { REDIS_URL: 'redis://:hu/sh@valkey' },
    LIST,
    2,
    'REDIS_URL: the address cannot be read; percent-encode special characters in the password (@ is %40)',
  ],
  [
    { SMTP_URL: 'mail.example' },
    LIST,
    2,
    'SMTP_URL: must be an address such as smtps://user:password@mail.example:465; percent-encode special characters in the password (@ is %40)',
  ],
  [
    { SMTP_URL: 'smtp://user:p@ss@mail.example' },
    LIST,
    2,
    'SMTP_URL: the user name or the password has an @, /, ? or #; percent-encode special characters in the password (@ is %40)',
  ],
  [
    { SMTP_URL: 'smtp://user:12#ss@mail.example' },
    LIST,
    2,
    'SMTP_URL: the user name or the password has an @, /, ? or #; percent-encode special characters in the password (@ is %40)',
  ],
  [
    { SMTP_URL: 'smtp://user:50%@mail.example' },
    LIST,
    2,
    'SMTP_URL: the user name or the password has a % that encodes nothing; write %25',
  ],
  [
    { SMTP_URL_FILE: '{folder}/none/file' },
    LIST,
    2,
    'SMTP_URL_FILE: {folder}/none/file cannot be read: there is no such file or folder',
  ],
  [{ SMTP_URL_FILE: '{folder}' }, LIST, 2, 'SMTP_URL_FILE: {folder} cannot be read: it is a folder'],
  [
    { BRAND: 'my_site' },
    LIST,
    2,
    'BRAND: must be 2 to 12 lower-case letters or digits, the first a letter, not "my_site"',
  ],
  [
    { SITE_NAME: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' },
    LIST,
    2,
    'SITE_NAME: must have 1 to 60 characters, not 61',
  ],
  [
    { LOG_LEVEL: 'loud' },
    LIST,
    2,
    'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
  ],
  [{ WORKERS: 'many' }, LIST, 2, 'WORKERS: must be auto or a whole number from 1 to 256, not "many"'],
  [{ RSA_KEY_BITS: '1024' }, LIST, 2, 'RSA_KEY_BITS: must be one of 2048, 3072, not "1024"'],
  [{ SIGN_UP: 'maybe' }, LIST, 2, 'SIGN_UP: must be one of open, invitation, closed, not "maybe"'],
  [
    { MAIL_FROM: 'Community' },
    LIST,
    2,
    'MAIL_FROM: must be an address such as Community <no-reply@community.example>, not "Community"',
  ],
  [
    { SECURITY_CONTACT: 'security@x.example' },
    LIST,
    2,
    'SECURITY_CONTACT: must be an address such as mailto:security@community.example or https://community.example/report, not "security@x.example"',
  ],
  [
    { SANDBOX_URL: 'sandbox.x.example' },
    LIST,
    2,
    'SANDBOX_URL: must be an absolute https address such as https://community.example, not "sandbox.x.example"',
  ],
  [
    { TRUST_PROXY: '10.0.0.1, proxy.local' },
    LIST,
    2,
    'TRUST_PROXY: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not "proxy.local"',
  ],
  [
    { BREACHED_PASSWORDS_URL: 'http://p.example/r' },
    LIST,
    2,
    'BREACHED_PASSWORDS_URL: must be an https address without a query, not "http://p.example/r"',
  ],
  [
    { GITHUB_SCANNING_KEYS: 'http://keys.example/' },
    LIST,
    2,
    'GITHUB_SCANNING_KEYS: must be an https address such as https://api.github.com/meta/public_keys/secret_scanning, not "http://keys.example/"',
  ],
  [
    { FILES_URL: 's4://bucket' },
    LIST,
    2,
    'FILES_URL: must be a folder such as file:/srv/portico/pictures, or a bucket such as s3://s3.example.com/bucket or s3://s3.example.com/bucket/prefix?region=eu-central-1',
  ],
  [
    { FILES_URL: 's3://key:hush@s3.example/bucket', FILES_KEY_ID: 'key' },
    LIST,
    2,
    'FILES_URL: has keys; set them with FILES_KEY_ID and FILES_SECRET',
  ],
  [
    { FILES_URL: 's3://s3.example/bucket?key=hush' },
    LIST,
    2,
    'FILES_URL: after the ? there can only be a region, such as region=eu-central-1',
  ],
  [
    { FILES_URL: 's3://s3.example/bucket' },
    LIST,
    2,
    'FILES_KEY_ID: is missing; a bucket in FILES_URL needs it',
  ],
  [
    { FILES_URL: 's3://s3.example/bucket', FILES_KEY_ID: 'key' },
    LIST,
    2,
    'FILES_SECRET: is missing; set it, or FILES_SECRET_FILE, for the bucket in FILES_URL',
  ],
  [
    { FILES_URL: 'file:/srv/pictures', EARLIER_FILES_URL: 'file:/srv/pictures/' },
    LIST,
    2,
    'EARLIER_FILES_URL: is the same place as FILES_URL',
  ],
  [
    { EARLIER_FILES_URL: 's3://s3.example/bucket' },
    LIST,
    2,
    'EARLIER_FILES_KEY_ID: is missing; a bucket in EARLIER_FILES_URL needs it',
  ],
  [
    { PICTURE_QUOTA_MB: 'much' },
    LIST,
    2,
    'PICTURE_QUOTA_MB: must be a whole number from 0 to 1000000, not "much"',
  ],
  [
    { BACKUP_EVERY: 'daily', BACKUP_TO: '{folder}' },
    LIST,
    2,
    'BACKUP_EVERY: must be a time from 10m to 31d, such as 30m, 6h or 1d, not "daily"',
  ],
  [
    { BACKUP_EVERY: '6h' },
    LIST,
    2,
    'BACKUP_EVERY: BACKUP_TO is missing; set it to the folder for the backups',
  ],
  [
    { DATABASE_URL: 'postgres://db/x', BACKUP_TO: '{folder}', BACKUP_EVERY: '6h' },
    LIST,
    2,
    'BACKUP_EVERY: is for SQLite; run pg_dump from a timer for PostgreSQL',
  ],
];
