import { problem } from "@metrum/contract/core";
import type { Ctx } from "#core";
import { gatewayNamed } from "./store.ts";

/**
 * Refusal of an identifier that another gateway has, with the field that holds it. It names a gateway of the
 * same company; of another company only that the identifier is taken.
 */
export async function identityTaken({ database, scope }: Ctx, identity: string, field: string) {
  const taken = await gatewayNamed(database.system, identity);
  const isDisclosed =
    taken !== undefined && (scope.access.is_platform || taken.company_id === scope.companyId);
  return problem("identifier_taken", {
    params: { name: isDisclosed ? taken.name : identity },
    attributes: { [field]: ["identifier_taken"] },
  });
}
