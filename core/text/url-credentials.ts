/** Whether an address holds a user name or a password. What is no address holds none. */
export function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return username !== '' || password !== '';
}
