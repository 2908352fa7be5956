import type { MappingDefinition, MqttMapping } from "@metrum/contract/headend";
import { sql } from "kysely";
import { storableJson, type Db } from "#core";

/** Mappings of a company, oldest first. Rows: at most 50, by (company_id, topic). */
export async function mappingsOf(db: Db, companyId: number): Promise<readonly MqttMapping[]> {
  const { rows } = await sql<MqttMapping>`
    select id, name, is_active, definition from mqtt_mapping where company_id = ${companyId} order by id`.execute(
    db,
  );
  return rows;
}

export async function putMapping(
  db: Db,
  given: {
    readonly companyId: number;
    readonly name: string;
    readonly is_active: boolean;
    readonly definition: MappingDefinition;
  },
): Promise<MqttMapping | undefined> {
  const { rows } = await sql<MqttMapping>`
    insert into mqtt_mapping (company_id, name, topic, is_active, definition)
    values (${given.companyId}, ${given.name}, ${given.definition.topic}, ${given.is_active}, ${storableJson(given.definition)}::jsonb)
    on conflict (company_id, topic) do update set name = excluded.name, is_active = excluded.is_active,
      definition = excluded.definition
    returning id, name, is_active, definition`.execute(db);
  return rows[0];
}

/** False when there is none. */
export async function removeMapping(db: Db, companyId: number, topic: string): Promise<boolean> {
  const { rows } = await sql`
    delete from mqtt_mapping where company_id = ${companyId} and topic = ${topic} returning id`.execute(db);
  return rows.length > 0;
}
