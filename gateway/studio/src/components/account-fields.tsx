import { TextField } from './text-field.tsx';

/** The address that somebody signs in with. */
export function EmailField({ label }: { label: string }) {
  return <TextField label={label} name="email" type="email" autoComplete="username" isRequired maxLength={254} />;
}

/** A password that is chosen; the server wants as many characters. */
export function NewPasswordField({ label, hint, name = 'password' }: { label: string; hint: string; name?: string }) {
  return (
    <TextField
      label={label}
      hint={hint}
      name={name}
      type="password"
      autoComplete="new-password"
      isRequired
      minLength={12}
      maxLength={128}
    />
  );
}
