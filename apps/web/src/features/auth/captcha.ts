import { captcha, type ReplyOf } from "@metrum/contract";
import { request } from "#lib/call";

export type Captcha = ReplyOf<typeof captcha.get>;

/** A captcha for one attempt. Errors: ApiError. */
export async function askCaptcha(): Promise<Captcha> {
  return (await request(captcha.get, {})).data;
}
