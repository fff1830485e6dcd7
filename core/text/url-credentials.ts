/** True if a URL contains a user name or a password. False for a text that is not a URL. */
export function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return username !== '' || password !== '';
}
