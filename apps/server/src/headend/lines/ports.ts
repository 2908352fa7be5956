import type { ReplyOf } from "@metrum/contract/core";
import type { lines } from "@metrum/contract/headend";
import type { Ctx } from "#core";
import { offeredPorts } from "./store.ts";

/**
 * Serial ports are shared by the whole installation, and their names disclose details of its machine: staff
 * of the provider assign them, from their own company or after entering that of the customer. A session
 * opened as another user does not count as staff.
 */
export function assignsPorts({ scope, session, config }: Ctx): boolean {
  if (scope.access.is_platform) return true;
  return session.impersonatorId === undefined && session.homeCompanyId === config.providerCompanyId;
}

/** All ports for staff; others see those of their own company. */
export async function portList(ctx: Ctx): Promise<ReplyOf<typeof lines.ports>> {
  const { companyId } = ctx.scope;
  const may_assign = assignsPorts(ctx);
  const offered = await offeredPorts(ctx.database.system);
  const ports = may_assign ? offered : offered.filter(({ company_id }) => company_id === companyId);
  return {
    ports: ports.map(({ path, company_id }) => ({
      path,
      is_taken: company_id !== null && company_id !== companyId,
    })),
    may_assign,
  };
}
