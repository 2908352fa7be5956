import i18next from "i18next";
import { asksForCode, type ApiError } from "#lib/call";
import { askText } from "#ui/dialog";

type Proof = { readonly current_password: string } | { readonly one_t_p: string };

/**
 * What the server asks for again before a command with great consequences: a one-time code if it names nothing else,
 * otherwise the password. Null when cancelled.
 */
export async function proofFor(refusal: Pick<ApiError, "attributes">): Promise<Proof | null> {
  const isCode = asksForCode(refusal);
  const given = await askText({
    title: i18next.t(isCode ? "control:proof.codeTitle" : "control:proof.title"),
    text: i18next.t(isCode ? "control:proof.codeText" : "control:proof.text"),
    label: i18next.t(isCode ? "control:proof.code" : "control:proof.password"),
    action: i18next.t("control:proof.action"),
    isRequired: true,
    isSecret: !isCode,
  });
  if (given === null) return null;
  return isCode ? { one_t_p: given } : { current_password: given };
}
