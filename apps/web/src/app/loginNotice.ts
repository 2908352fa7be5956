let notice: string | null = null;

/** Sets the message of the login screen about the session that has just ended; null after a sign-in. */
export function setLoginNotice(text: string | null): void {
  notice = text;
}

export function loginNotice(): string | null {
  return notice;
}
