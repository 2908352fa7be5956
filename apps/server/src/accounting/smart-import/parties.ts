import { consumers, suppliers } from "@metrum/contract/access";
import { fieldFault, problem } from "@metrum/contract/core";
import type { ConsumerId, SupplierId } from "@metrum/vocabulary";
import { loweredTexts, type Ctx } from "#core";
import { addConsumers, addSuppliers } from "#accounting/parties";
import { admitted, type RowValues } from "#metering/sheets";
import { textOf } from "./known.ts";
import { partiesNamed } from "./pictureStore.ts";
import { ofEach, renamed } from "./stages.ts";

/** Who a row names, by tax number or name. */
interface Named {
  readonly name: string;
  readonly inn: string;
  readonly contract: string;
  /** Missing ones are made. */
  readonly isMade: boolean;
}

interface Found<Id> {
  readonly id: Id;
  /** This row has made it. */
  readonly isNew: boolean;
}

/** The parties of a row. */
export interface PartiesOfRow {
  readonly consumer: Found<ConsumerId> | undefined;
  readonly supplier: Found<SupplierId> | undefined;
}

/**
 * Finds or makes the parties of rows. Undefined: a row could mean one that another makes. Problems: wrong_input with
 * unknown_party, and those of the calls that make them.
 */
export async function partiesFor(ctx: Ctx, rows: readonly RowValues[]): Promise<PartiesOfRow[] | undefined> {
  const found = await partiesOf<ConsumerId>(ctx, {
    table: "consumer",
    rows: rows.map((values) => named(values, "consumer")),
    make: (all) =>
      renamed({ name: "consumer", inn: "consumer_inn" }, () =>
        addConsumers(
          ctx,
          all.map((each) => newConsumer(ctx, each)),
        ),
      ),
  });
  const others = await partiesOf<SupplierId>(ctx, {
    table: "supplier",
    rows: rows.map((values) => named(values, "supplier")),
    make: (all) =>
      renamed({ name: "supplier", inn: "supplier_inn" }, () =>
        addSuppliers(
          ctx,
          all.map(({ name, inn }) => admitted(ctx, suppliers.create, { name, inn })),
        ),
      ),
  });
  return found && others && rows.map((_, at) => ({ consumer: found[at], supplier: others[at] }));
}

/** A tax number of ten digits is that of an organisation. */
const newConsumer = (ctx: Ctx, { name, inn, contract }: Named) =>
  admitted(ctx, consumers.create, {
    name,
    inn,
    number_of_contract: contract,
    subject_type_id: inn.length === 12 ? 1 : 2,
  });

function named(values: RowValues, table: "consumer" | "supplier"): Named | undefined {
  const [name, inn] = [textOf(values[table]), textOf(values[`${table}_inn`])];
  if (name === "" && inn === "") return undefined;
  const contract = textOf(values["number_of_contract"]);
  return { name, inn, contract, isMade: values["create_parties"] === true };
}

interface Asked<Id> {
  readonly table: "consumer" | "supplier";
  readonly rows: readonly (Named | undefined)[];
  /** Makes missing ones; ids in the order given. */
  readonly make: (all: readonly Named[]) => Promise<readonly Id[]>;
}

async function partiesOf<Id extends number>(
  { db, scope }: Ctx,
  { table, rows, make }: Asked<Id>,
): Promise<(Found<Id> | undefined)[] | undefined> {
  const asked = rows.filter((each) => each !== undefined);
  if (asked.length === 0) return rows.map(() => undefined);
  const lower = await loweredTexts(
    db,
    asked.map(({ name }) => name),
  );
  /** By the tax number, or without one by the name. */
  const keyOf = ({ name, inn }: Pick<Named, "name" | "inn">) =>
    inn === "" ? `name ${lower(name)}` : `inn ${inn}`;
  const keys = new Set(asked.map(keyOf));
  const known = await partiesNamed<Id>(db, scope, {
    table,
    names: [...new Set(asked.filter(({ inn }) => inn === "").map(({ name }) => lower(name)))],
    numbers: [...new Set(asked.filter(({ inn }) => inn !== "").map(({ inn }) => inn))],
  });
  const missing = new Map<string, Named>();
  ofEach(rows, (each) => {
    if (!each) return;
    const key = keyOf(each);
    const [first, ...others] = known.get(key) ?? [];
    if (missing.has(key) || (first !== undefined && others.length === 0)) return;
    if (first !== undefined || !each.isMade || each.name === "")
      throw problem("wrong_input", { attributes: { [table]: [fieldFault("unknown_party")] } });
    missing.set(key, each);
  });
  // Another row finds it by its name as well.
  for (const { name, inn } of missing.values())
    if (inn !== "" && keys.has(keyOf({ name, inn: "" }))) return undefined;
  const ids = missing.size === 0 ? [] : await make([...missing.values()]);
  const made = new Map([...missing.keys()].map((key, at) => [key, ids[at]]));
  const makers = new Set(missing.values());
  return rows.map((each) => {
    const id = each && (made.get(keyOf(each)) ?? known.get(keyOf(each))?.[0]);
    return id === undefined ? undefined : { id, isNew: each !== undefined && makers.has(each) };
  });
}
