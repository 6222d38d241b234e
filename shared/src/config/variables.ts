import { type PersonAttested, type Role, roles } from '../policy.ts';
import { type Pool, pools } from '../tool.ts';
import {
  addressAndPort,
  boolean,
  file,
  folder,
  host,
  integer,
  list,
  oneOf,
  origin,
  port,
  privateKeyFile,
  publicKeysFile,
  secretFile,
  serviceNames,
  text,
  textFile,
  url,
  variable,
} from './kinds.ts';

const all = ['gateway', 'policy', 'tools', 'audit', 'skills'] as const;
const storing = ['gateway', 'policy', 'tools', 'audit'] as const;
const postgres = url('postgres:', 'postgresql:');

/** Every variable there is; `docs/reference/configuration.md` is made from this table. */
export const variables = {
  databaseUrl: variable('CLOUDHAL_DATABASE_URL', postgres, {
    services: [...storing, 'local'],
    required: storing,
    secret: true,
    help: "PostgreSQL, as the service's own role. Locally: a PostgreSQL of your own instead of the one that comes along.",
  }),
  migrationDatabaseUrl: variable('CLOUDHAL_MIGRATION_DATABASE_URL', postgres, {
    services: ['migrate'],
    required: ['migrate'],
    secret: true,
    help: 'PostgreSQL, as the role that owns the schemas and makes the roles.',
  }),
  databasePasswordFile: variable('CLOUDHAL_DATABASE_PASSWORD_FILE', textFile, {
    services: [...storing, 'migrate'],
    help: 'The password for PostgreSQL, where the URL has none.',
  }),
  natsUrl: variable('CLOUDHAL_NATS_URL', list(url('nats:', 'tls:')), {
    services: all,
    required: all,
    help: 'The NATS servers.',
  }),
  natsUser: variable('CLOUDHAL_NATS_USER', text, { services: all, help: "The service's user on NATS." }),
  natsPasswordFile: variable('CLOUDHAL_NATS_PASSWORD_FILE', textFile, {
    services: all,
    help: 'The password of that user.',
  }),
  natsCaFile: variable('CLOUDHAL_NATS_CA_FILE', textFile, {
    services: all,
    help: 'The certificate authority (PEM) of the NATS servers; its presence asks for TLS.',
  }),
  redisUrl: variable('CLOUDHAL_REDIS_URL', url('redis:', 'rediss:'), {
    services: storing,
    secret: true,
    help: 'Redis, for limits and shared keys. Without it they are kept in PostgreSQL.',
  }),
  redisPasswordFile: variable('CLOUDHAL_REDIS_PASSWORD_FILE', textFile, {
    services: storing,
    help: 'The password for Redis, where the URL has none.',
  }),
  publicUrl: variable('CLOUDHAL_PUBLIC_URL', url('http:', 'https:'), {
    services: ['gateway', 'tools', 'local'],
    required: ['gateway', 'tools'],
    help: 'The address at which people and agents reach the gateway, and where tool-service makes preview links to.',
  }),
  port: variable('CLOUDHAL_PORT', port, {
    services: ['gateway'],
    default: 4321,
    help: 'The port that the gateway listens on.',
  }),
  host: variable('CLOUDHAL_HOST', host, {
    services: ['gateway', 'local'],
    default: '127.0.0.1',
    help: 'The address that the gateway listens on; in a container 0.0.0.0.',
  }),
  allowedOrigins: variable('CLOUDHAL_ALLOWED_ORIGINS', list(origin), {
    services: ['gateway', 'local'],
    default: [] as string[],
    help: 'Origins of web pages that may call the gateway besides its own.',
  }),
  allowedHosts: variable('CLOUDHAL_ALLOWED_HOSTS', list(host), {
    services: ['gateway', 'local'],
    default: [] as string[],
    help: 'Values of the Host header that are accepted besides that of the public URL.',
  }),
  trustProxy: variable('CLOUDHAL_TRUST_PROXY', text, {
    services: ['gateway'],
    help: 'The proxies that may say who the client is, such as "loopback, uniquelocal" or 10.0.0.0/8. Default: none.',
  }),
  healthPort: variable('CLOUDHAL_HEALTH_PORT', port, {
    services: all,
    default: 9400,
    help: 'The port of /healthz, /readyz and /metrics of each service but the gateway, which has them on its own.',
  }),
  logLevel: variable('CLOUDHAL_LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    services: serviceNames,
    default: 'info',
    help: 'How much is logged.',
  }),
  keyPepperFile: variable('CLOUDHAL_KEY_PEPPER_FILE', secretFile, {
    services: ['gateway'],
    required: ['gateway'],
    help: 'The secret that agent keys are hashed with.',
  }),
  keyPepperPreviousFile: variable('CLOUDHAL_KEY_PEPPER_PREVIOUS_FILE', secretFile, {
    services: ['gateway'],
    help: 'The secret before that one, until every key that was hashed with it has been used or has ended.',
  }),
  kekFile: variable('CLOUDHAL_KEK_FILE', secretFile, {
    services: ['gateway', 'policy', 'tools'],
    required: ['gateway', 'policy'],
    help: 'The key, 32 bytes, that other keys and the arguments of waiting calls are encrypted with.',
  }),
  sessionSecretFile: variable('CLOUDHAL_SESSION_SECRET_FILE', secretFile, {
    services: ['gateway'],
    required: ['gateway'],
    help: "The secret that people's sessions are signed with.",
  }),
  deploymentTokenFile: variable('CLOUDHAL_DEPLOYMENT_TOKEN_FILE', secretFile, {
    services: ['gateway'],
    help: 'The token with which the first owner signs up.',
  }),
  principalKeyFile: variable('CLOUDHAL_PRINCIPAL_KEY_FILE', privateKeyFile, {
    services: ['gateway'],
    required: ['gateway'],
    help: "The gateway's private key (JWK), which signs who is calling.",
  }),
  permitKeyFile: variable('CLOUDHAL_PERMIT_KEY_FILE', privateKeyFile, {
    services: ['policy'],
    required: ['policy'],
    help: "policy-service's private key (JWK), which signs permits.",
  }),
  principalJwksFile: variable('CLOUDHAL_PRINCIPAL_JWKS_FILE', publicKeysFile, {
    services: ['policy', 'audit'],
    required: ['policy', 'audit'],
    help: "The gateway's public keys (JWKS), which principals are checked with.",
  }),
  permitJwksFile: variable('CLOUDHAL_PERMIT_JWKS_FILE', publicKeysFile, {
    services: ['policy', 'tools', 'audit'],
    required: ['policy', 'tools', 'audit'],
    help: "policy-service's public keys (JWKS), which permits are checked with; never the gateway's.",
  }),
  checkpointKeyFile: variable('CLOUDHAL_CHECKPOINT_KEY_FILE', privateKeyFile, {
    services: ['audit'],
    required: ['audit'],
    help: "audit-service's private key (JWK, Ed25519), which signs checkpoints of the record.",
  }),
  checkpointJwksFile: variable('CLOUDHAL_CHECKPOINT_JWKS_FILE', publicKeysFile, {
    services: ['audit'],
    help: 'The public keys (JWKS) of all that signed checkpoints before that key, so that these still verify.',
  }),
  checkpointDir: variable('CLOUDHAL_CHECKPOINT_DIR', folder, {
    services: ['audit'],
    required: ['audit'],
    help: 'Where checkpoints are written; keep it away from the database.',
  }),
  skillsDir: variable('CLOUDHAL_SKILLS_DIR', folder, {
    services: ['skills', 'local'],
    help: 'A folder of skills besides the built-in ones.',
  }),
  pools: variable('CLOUDHAL_POOLS', list(oneOf(...pools)), {
    services: ['tools'],
    default: [...pools] as Pool[],
    help: 'The pools of tools that this worker serves.',
  }),
  checkLinks: variable('CLOUDHAL_CHECK_LINKS', boolean, {
    services: ['tools'],
    default: true as boolean,
    help: 'Whether workers of the media pool look now and then whether links of published pages to other sites still lead somewhere.',
  }),
  mediaMaxBytes: variable('CLOUDHAL_MEDIA_MAX_BYTES', integer(1_024, 1_073_741_824), {
    services: ['tools', 'local'],
    default: 26_214_400,
    help: 'How large one file may be.',
  }),
  mediaS3Bucket: variable('CLOUDHAL_MEDIA_S3_BUCKET', text, {
    services: ['gateway', 'tools', 'local'],
    help: 'The bucket that files are kept in. Without it they are kept in PostgreSQL.',
  }),
  mediaS3Endpoint: variable('CLOUDHAL_MEDIA_S3_ENDPOINT', url('http:', 'https:'), {
    services: ['gateway', 'tools', 'local'],
    help: 'The S3 server of that bucket, where it is not AWS.',
  }),
  mediaS3Region: variable('CLOUDHAL_MEDIA_S3_REGION', text, {
    services: ['gateway', 'tools', 'local'],
    help: 'The region of that bucket. Default: us-east-1.',
  }),
  mediaS3AccessKeyId: variable('CLOUDHAL_MEDIA_S3_ACCESS_KEY_ID', text, {
    services: ['gateway', 'tools', 'local'],
    help: "The access key for that bucket. Without it the AWS client's own ways are used, such as a workload identity.",
  }),
  mediaS3SecretKeyFile: variable('CLOUDHAL_MEDIA_S3_SECRET_KEY_FILE', textFile, {
    services: ['gateway', 'tools', 'local'],
    help: 'The secret of that access key.',
  }),
  fetchAllow: variable('CLOUDHAL_FETCH_ALLOW', list(addressAndPort), {
    services: ['tools', 'local'],
    default: [] as string[],
    help: 'Internal addresses that tools may fetch from all the same. Default: none.',
  }),
  slots: variable('CLOUDHAL_SLOTS', integer(1, 10_000), {
    services: ['tools', 'local'],
    help: 'How many calls a worker runs at once in each pool; the next one goes to another worker.',
  }),
  renderBrowser: variable('CLOUDHAL_RENDER_BROWSER', file, {
    services: ['tools', 'local'],
    help: 'The Chromium that pages are checked in (render_page). Default: one that is on the PATH.',
  }),
  renderSandbox: variable('CLOUDHAL_RENDER_SANDBOX', boolean, {
    services: ['tools', 'local'],
    default: true as boolean,
    help: "Chromium's own sandbox. It needs user namespaces; false only where the container is the sandbox, as in docs/adr/0027.",
  }),
  personAttested: variable('CLOUDHAL_PERSON_ATTESTED', oneOf<PersonAttested>('off', 'always-person', 'all'), {
    services: ['policy', 'gateway', 'local'],
    default: 'off' as PersonAttested,
    help: 'Which approvals only a signed-in person may give.',
  }),
  confirmTokenFallback: variable('CLOUDHAL_CONFIRM_TOKEN_FALLBACK', boolean, {
    services: ['policy', 'gateway', 'local'],
    default: true as boolean,
    help: 'Whether clients that cannot ask a person get a confirm token.',
  }),
  smtpUrl: variable('CLOUDHAL_SMTP_URL', url('smtp:', 'smtps:'), {
    services: ['gateway', 'local'],
    help: 'The mail server, such as smtp://user@mail.example.com:587, for invitations and forgotten passwords. Without it links are handed over by people.',
  }),
  smtpPasswordFile: variable('CLOUDHAL_SMTP_PASSWORD_FILE', textFile, {
    services: ['gateway', 'local'],
    help: 'The password for the mail server. A server that takes one has to offer TLS.',
  }),
  mailFrom: variable('CLOUDHAL_MAIL_FROM', text, {
    services: ['gateway', 'local'],
    help: 'Who mail is from, such as "Cloudhal <cloudhal@example.com>". Needed where there is a mail server.',
  }),
  oidcIssuer: variable('CLOUDHAL_OIDC_ISSUER', url('https:', 'http:'), {
    services: ['gateway', 'local'],
    help: "The organisation's OpenID Connect provider, for single sign-on; the rest is discovered.",
  }),
  oidcClientId: variable('CLOUDHAL_OIDC_CLIENT_ID', text, {
    services: ['gateway', 'local'],
    help: 'The id that the provider knows this deployment by. Its redirect address is <public URL>/api/auth/callback/sso.',
  }),
  oidcClientSecretFile: variable('CLOUDHAL_OIDC_CLIENT_SECRET_FILE', textFile, {
    services: ['gateway', 'local'],
    help: 'The secret that goes with that id.',
  }),
  oidcName: variable('CLOUDHAL_OIDC_NAME', text, {
    services: ['gateway', 'local'],
    default: 'single sign-on',
    help: 'The name of the provider, as the button of the sign-in page says it.',
  }),
  oidcRole: variable('CLOUDHAL_OIDC_ROLE', oneOf<Role>(...roles), {
    services: ['gateway', 'local'],
    help: 'The role of whoever the provider knows and nobody invited. Default: they are refused.',
  }),
  replicas: variable('CLOUDHAL_REPLICAS', integer(1, 1_000), {
    services: ['gateway'],
    default: 1,
    help: 'How many gateways run; each takes its share of a limit while Redis is away.',
  }),
  ratePerMinute: variable('CLOUDHAL_RATE_PER_MINUTE', integer(1, 1_000_000), {
    services: ['gateway', 'local'],
    default: 60,
    help: 'Calls a minute that one key may make.',
  }),
  rateBurst: variable('CLOUDHAL_RATE_BURST', integer(1, 1_000_000), {
    services: ['gateway', 'local'],
    default: 20,
    help: 'Calls that one key may make at once.',
  }),
  pageRatePerMinute: variable('CLOUDHAL_PAGE_RATE_PER_MINUTE', integer(1, 1_000_000), {
    services: ['gateway', 'local'],
    default: 1_200,
    help: 'Pages of published sites and previews a minute that one address may load; half of them at once.',
  }),
  shutdownSeconds: variable('CLOUDHAL_SHUTDOWN_SECONDS', integer(1, 600), {
    services: all,
    default: 30,
    help: 'How long a service that is told to stop may finish what it does.',
  }),
};
