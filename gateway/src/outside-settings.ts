import { readFileSync } from 'node:fs';
import type { Role } from '@cloudhal/shared/policy';
import type { Settings } from './service.ts';

type Config = {
  smtpUrl: string | undefined;
  smtpPasswordFile: string | undefined;
  mailFrom: string | undefined;
  oidcIssuer: string | undefined;
  oidcClientId: string | undefined;
  oidcClientSecretFile: string | undefined;
  oidcName: string;
  oidcRole: Role | undefined;
};

/** The mail server and the sign-in provider of an organisation. Half of one is an error: it would be found out too late. */
export function outsideSettings(config: Config): Pick<Settings, 'mail' | 'singleSignOn'> {
  const { smtpUrl, smtpPasswordFile, mailFrom, oidcIssuer, oidcClientId, oidcClientSecretFile, oidcName, oidcRole } =
    config;
  if (smtpUrl !== undefined && mailFrom === undefined) throw new Error('CLOUDHAL_SMTP_URL needs CLOUDHAL_MAIL_FROM.');
  if (oidcIssuer !== undefined && (oidcClientId === undefined || oidcClientSecretFile === undefined)) {
    throw new Error('CLOUDHAL_OIDC_ISSUER needs CLOUDHAL_OIDC_CLIENT_ID and CLOUDHAL_OIDC_CLIENT_SECRET_FILE.');
  }
  return {
    ...(smtpUrl !== undefined &&
      mailFrom !== undefined && {
        mail: { url: smtpUrl, from: mailFrom, ...(smtpPasswordFile && { password: textOf(smtpPasswordFile) }) },
      }),
    ...(oidcIssuer !== undefined &&
      oidcClientId !== undefined &&
      oidcClientSecretFile !== undefined && {
        singleSignOn: {
          issuer: oidcIssuer,
          clientId: oidcClientId,
          clientSecret: textOf(oidcClientSecretFile),
          name: oidcName,
          ...(oidcRole && { role: oidcRole }),
        },
      }),
  };
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
