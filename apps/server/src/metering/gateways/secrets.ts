import { signInInterface, type CompanyId, type GatewayId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { putGatewaySecret } from "./store.ts";

/** Whether a gateway on this interface signs in with a login and a password. */
export const signsIn = (interfaceId: number): boolean => interfaceId === signInInterface;

/** Authenticated with the password, so that one copied to another gateway does not open there. */
const purposeOf = (id: GatewayId): string => `gateway_password:${String(id)}`;

/** Seals and stores the password of a gateway; null removes it. */
export async function putGatewayPassword(
  { db, secretBox }: Pick<Ctx, "db" | "secretBox">,
  {
    id,
    companyId,
    text,
  }: { readonly id: GatewayId; readonly companyId: CompanyId; readonly text: string | null },
): Promise<void> {
  const sealed = text === null ? null : secretBox.seal(text, purposeOf(id));
  await putGatewaySecret(db, { id, companyId, sealed });
}
