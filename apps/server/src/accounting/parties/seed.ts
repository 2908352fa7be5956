import type { CompanyId, ConsumerId, SupplierId, TransformerId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { insertConsumers, type NewConsumer } from "./consumerStore.ts";
import { insertSuppliers, type NewSupplier } from "./supplierStore.ts";
import { insertTransformer, type NewTransformer } from "./transformerStore.ts";

/** Adds consumers and suppliers, each in one statement, without limits and log; ids in the order given. */
export async function addParties(
  db: Db,
  companyId: CompanyId,
  given: { readonly consumers: readonly NewConsumer[]; readonly suppliers: readonly NewSupplier[] },
): Promise<{ readonly consumers: ConsumerId[]; readonly suppliers: SupplierId[] }> {
  return {
    consumers: await insertConsumers(db, companyId, given.consumers),
    suppliers: await insertSuppliers(db, companyId, given.suppliers),
  };
}

/** Adds transformers, without limits and log; ids in the order given. */
export async function addTransformers(
  db: Db,
  companyId: CompanyId,
  given: readonly NewTransformer[],
): Promise<TransformerId[]> {
  const ids: TransformerId[] = [];
  for (const row of given) ids.push(await insertTransformer(db, { companyId }, row));
  return ids;
}
