/** The address of a one-time link: Studio's page there takes the token out of it and makes the account. */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/studio/join?token=${encodeURIComponent(token)}`;
}
