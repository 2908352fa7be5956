import { captcha } from "@metrum/contract/access";
import type { ReplyOf } from "@metrum/contract/core";
import { request } from "#lib/call";

export type Captcha = ReplyOf<typeof captcha.get>;

/** A captcha for one attempt. Errors: ApiError. */
export async function askCaptcha(): Promise<Captcha> {
  return (await request(captcha.get, {})).data;
}
