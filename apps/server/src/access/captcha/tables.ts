export interface CaptchaTable {
  key_hash: Buffer;
  /** Text of the image in lower case. */
  answer: string;
  /** Salt of the proof of work that is accepted instead. */
  salt: string;
  expires_at: Date;
}

declare module "#core" {
  interface Tables {
    captcha: CaptchaTable;
  }
}
