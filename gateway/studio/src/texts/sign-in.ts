export const signIn = {
  title: 'Sign in',
  lead: 'Agents do the work here, and people stay in charge.',
  email: 'E-mail address',
  password: 'Password',
  action: 'Sign in',
  forgot: 'Forgot your password?',
  or: 'or',
  singleSignOn: (name: string) => `Continue with ${name}`,
  problems: {
    not_invited:
      'Nobody invited that account to this deployment. Ask an owner for an invitation to its e-mail address.',
    account_not_linked:
      'There is an account with that e-mail address here. Sign in with its password, then connect single sign-on under Account.',
    other: 'The single sign-on did not work. Try again, or sign in with your password.',
  },
  newHere: 'New here? An owner of this deployment sends you a link.',
};

export const join = {
  title: 'Make your account',
  firstOwner: 'You become the first owner of this deployment: you connect agents, invite people and set the rules.',
  invited: (role: string) => `You were invited as ${role}.`,
  name: 'Name',
  nameHint: 'As others see it beside what you decide.',
  email: 'E-mail address',
  password: 'Password',
  passwordHint: 'At least 12 characters. A few unrelated words are easy to remember and hard to guess.',
  action: 'Make the account and sign in',
  ended: {
    title: 'This link has ended',
    text: 'Each link works once, and for a limited time. Ask for a new one where you got this; on your own machine, start Cloudhal again and it prints another.',
    action: 'Go to the sign-in',
  },
};

export const forgotten = {
  title: 'Forgot your password?',
  lead: 'Enter your address. If it belongs to an account here, a link for a new password is on its way.',
  email: 'E-mail address',
  action: 'Send the link',
  back: 'Back to the sign-in',
  sent: {
    title: 'Look into your mail',
    text: 'If the address belongs to an account here, a link for a new password is on its way. It works once, for an hour.',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'It ends your sessions everywhere.',
    password: 'New password',
    hint: 'At least 12 characters. A few unrelated words are easy to remember and hard to guess.',
    action: 'Set the password',
    done: { title: 'Your password is set', text: 'Sign in with it now.', action: 'Go to the sign-in' },
    ended: {
      title: 'This link has ended',
      text: 'It works once, for an hour. Ask for another.',
      action: 'Ask for another link',
    },
  },
};
