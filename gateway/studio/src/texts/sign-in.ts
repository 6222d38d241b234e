export const signIn = {
  title: 'Sign in',
  lead: 'Agents do the work here, and people stay in charge.',
  email: 'E-mail address',
  password: 'Password',
  action: 'Sign in',
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
