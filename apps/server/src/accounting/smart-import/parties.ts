import { consumers, fieldFault, problem, suppliers } from "@metrum/contract";
import type { ConsumerId, SupplierId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { addConsumer, addSupplier } from "#accounting/parties";
import { admitted } from "#metering/sheets";
import { partiesNamed } from "./pictureStore.ts";
import { renamed } from "./stages.ts";

/** Who a row names, by tax number or name. */
export interface Named {
  readonly name: string;
  readonly inn: string;
  readonly contract: string;
  /** Missing ones are made. */
  readonly isMade: boolean;
}

interface Found<Id> {
  readonly id: Id;
  readonly isNew: boolean;
}

/** Problems: wrong_input with unknown_party, and those of the call that makes one. */
export async function consumerOf(ctx: Ctx, named: Named): Promise<Found<ConsumerId>> {
  const known = await knownParty<ConsumerId>(ctx, "consumer", named);
  if (known !== undefined) return { id: known, isNew: false };
  const { name, inn, contract } = named;
  return renamed({ name: "consumer", inn: "consumer_inn" }, async () => {
    // A tax number of ten digits is that of an organisation.
    const body = { name, inn, number_of_contract: contract, subject_type_id: inn.length === 12 ? 1 : 2 };
    const { _id } = await addConsumer(ctx, admitted(ctx, consumers.create, body));
    return { id: Number(_id) as ConsumerId, isNew: true };
  });
}

export async function supplierOf(ctx: Ctx, named: Named): Promise<Found<SupplierId>> {
  const known = await knownParty<SupplierId>(ctx, "supplier", named);
  if (known !== undefined) return { id: known, isNew: false };
  const { name, inn } = named;
  return renamed({ name: "supplier", inn: "supplier_inn" }, async () => {
    const { _id } = await addSupplier(ctx, admitted(ctx, suppliers.create, { name, inn }));
    return { id: Number(_id) as SupplierId, isNew: true };
  });
}

async function knownParty<Id extends number>(
  { db, scope }: Ctx,
  table: "consumer" | "supplier",
  { name, inn, isMade }: Named,
): Promise<Id | undefined> {
  const found = await partiesNamed<Id>(db, scope, { table, name, inn });
  if (found.length === 1) return found[0];
  if (found.length === 0 && isMade && name !== "") return undefined;
  throw problem("wrong_input", { attributes: { [table]: [fieldFault("unknown_party")] } });
}
