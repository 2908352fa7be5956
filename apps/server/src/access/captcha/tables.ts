export interface CaptchaTable {
  key_hash: Buffer;
  /** What the image shows, in lower case. */
  answer: string;
  /** Salt of the work that may be done instead. */
  salt: string;
  expires_at: Date;
}

declare module "#core" {
  interface Tables {
    captcha: CaptchaTable;
  }
}
