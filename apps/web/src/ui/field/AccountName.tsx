/**
 * The user name in a form that asks for its password, hidden: browsers and password managers fill in and
 * store a password under the user name of its form.
 */
export function AccountName({ email }: { readonly email: string }) {
  return <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />;
}
