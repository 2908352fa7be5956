import { ApiError } from "#lib/call";

/** Next step required by a refused sign-in. */
export interface Refusal {
  readonly asks: "captcha" | "code" | "consent" | "nothing";
  readonly msg: string | null;
}

/** Servers without the attribute are recognised by the message: code, or two-factor, is required. */
const codeWords = /\b(2fa|otp|one[- ]?time)\b|одноразов|двухфактор|нэг удаагийн/i;

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { asks: "nothing", msg: null };
  const { status, msg, attributes } = error;
  if ("captcha" in attributes || "captcha_key" in attributes) return { asks: "captcha", msg };
  if (status === 449 && "personal_data_access" in attributes) return { asks: "consent", msg };
  if ("one_t_p" in attributes || (status === 422 && codeWords.test(msg ?? ""))) return { asks: "code", msg };
  return { asks: "nothing", msg };
}
