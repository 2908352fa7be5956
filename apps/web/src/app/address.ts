/** Query part of a route as plain text: `q=412&f.status=silent`, without quotes around numeric text. */
export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      if (value !== "") written.set(name, String(value));
  }
  // Colons and commas are allowed in this part of an address, and easier to read unescaped.
  const text = written.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

const returnKey = "metrum.returnTo";

/** A deep link opened without a session is kept until the sign-in, in this tab only. */
export function rememberReturn(href: string): void {
  if (href.startsWith("/cloud/")) sessionStorage.setItem(returnKey, href);
}

/** Returns the target after signing in, once. */
export function takeReturn(): string {
  const href = sessionStorage.getItem(returnKey);
  sessionStorage.removeItem(returnKey);
  return href?.startsWith("/cloud/") === true ? href : "/cloud";
}

export function forgetReturn(): void {
  sessionStorage.removeItem(returnKey);
}
