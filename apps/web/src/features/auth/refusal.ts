import { ApiError } from "#lib/call";

/** What a refused sign-in asks for next. */
export interface Refusal {
  readonly asks: "captcha" | "code" | "consent" | "nothing";
  readonly msg: string | null;
}

/** Servers that send no attribute say it in words: the code, or two-factor, is needed. */
const codeWords = /\b(2fa|otp|one[- ]?time)\b|одноразов|двухфактор|нэг удаагийн/i;

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { asks: "nothing", msg: null };
  const { status, msg, attributes } = error;
  if ("captcha" in attributes || "captcha_key" in attributes) return { asks: "captcha", msg };
  if (status === 449 && "personal_data_access" in attributes) return { asks: "consent", msg };
  if ("one_t_p" in attributes || (status === 422 && codeWords.test(msg ?? ""))) return { asks: "code", msg };
  return { asks: "nothing", msg };
}
