import { sql } from "kysely";
import type { Fixture } from "../../records.ts";
import { aMeasuredPoint, aPoint, aSpareDevice } from "../spares.ts";
import type { Example, Examples } from "./example.ts";

/** 2026-02-01. */
const february = 1_769_904_000;

const inFebruary = { startDate: february, stopDate: february + 86_400 };

/** A call whose body names one point. */
const ofPoint: Example = {
  input: ({ ours }) => ({ body: { accounting_point_id: ours.accountingPoint } }),
  foreign: { kind: "accountingPoint", input: (id) => ({ body: { accounting_point_id: id } }) },
};

/** A call that changes a spare point. */
const changing = (more: (fixture: Fixture) => object): Example => ({
  input: async (fixture) => ({
    body: { accounting_point_id: await aPoint(fixture), ...more(fixture) },
  }),
  foreign: {
    kind: "accountingPoint",
    input: (id, fixture) => ({ body: { accounting_point_id: id, ...more(fixture) } }),
  },
});

async function replacement(fixture: Fixture) {
  const { point } = await aMeasuredPoint(fixture, await aSpareDevice(fixture, false));
  const device_id = await aSpareDevice(fixture, false);
  return { accounting_point_id: point, device_id, removed_at: february, last_value: 10, starting_value: 0 };
}

/** A point whose device has been replaced. */
async function replaced(fixture: Fixture): Promise<number> {
  const { point, tie } = await aMeasuredPoint(fixture);
  const device = await aSpareDevice(fixture, false);
  await sql`
    with old as (update point_device set to_ts = ${february} where id = ${tie} returning *),
    new as (
      insert into point_device (point_id, company_id, device_id, field, from_ts)
      select point_id, company_id, ${device}, field, ${february} from old returning *
    )
    insert into point_event (point_id, company_id, ts, kind, details)
    select point_id, company_id, from_ts, 'replaced', jsonb_build_object('point_device', id) from new`.execute(
    fixture.api.services.database.system,
  );
  return point;
}

const aPdf = Buffer.from("%PDF-1.4").toString("base64");

/** A call that names a file of a point. */
const ofFile: Example = {
  input: async (fixture) => {
    const { ours, api } = fixture;
    const point = ours.accountingPoint;
    const { rows } = await sql<{ id: number }>`
      insert into point_file (point_id, company_id, name, type, size, content)
      values (${point}, ${ours.company}, 'act.pdf', 'application/pdf', 5, '%PDF-') returning id`.execute(
      api.services.database.system,
    );
    return { body: { accounting_point_id: point, file_number: rows[0]?.id } };
  },
  foreign: {
    kind: "accountingPoint",
    input: (id) => ({ body: { accounting_point_id: id, file_number: 1 } }),
  },
};

const withDevice: Example = {
  input: ({ ours }) => ({
    body: { accounting_point_id: ours.accountingPoint, device_id: ours.device },
  }),
  foreign: {
    kind: "device",
    input: (id, { ours }) => ({ body: { accounting_point_id: ours.accountingPoint, device_id: id } }),
  },
};

/** Examples of accounting points. */
export const pointExamples: Examples = {
  "point.list": {
    input: ({ ours }) => ({ body: { object_id: ours.object, with_nested: true } }),
    foreign: { kind: "object", input: (id) => ({ body: { object_id: id } }) },
  },
  "point.companyList": { input: () => ({ body: { per_page: 10, state: ["no_device", "silent"] } }) },
  "point.nested": {
    input: ({ ours }) => ({ body: { object_id: ours.object } }),
    foreign: { kind: "object", input: (id) => ({ body: { object_id: id } }) },
  },
  "point.get": {
    input: ({ ours }) => ({ params: { id: String(ours.accountingPoint) } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ params: { id: String(id) } }) },
  },
  "point.create": {
    input: ({ ours }) => ({
      body: {
        title: "Input 1",
        resource_type_id: 3,
        parent_id: ours.object,
        consumer_id: ours.consumer,
        supplier_id: ours.supplier,
        transformation_ratio: 40,
      },
    }),
    foreign: {
      kind: "object",
      input: (id) => ({ body: { title: "Theirs", resource_type_id: 3, parent_id: id } }),
    },
  },
  "point.update": {
    input: async (fixture) => ({ body: { id: await aPoint(fixture), name: "Renamed", loss_factor: 0.02 } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ body: { id, name: "Theirs" } }) },
  },
  "point.updateStandard": {
    input: async (fixture) => ({
      params: { id: String(await aPoint(fixture)) },
      body: { standard: { day: 3100 } },
    }),
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ params: { id: String(id) }, body: { standard: { day: 1 } } }),
    },
  },
  "point.delete": {
    input: async (fixture) => ({ body: { ids: [await aPoint(fixture)] } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ body: { ids: [id] } }) },
  },
  "point.tieObject": changing(({ ours }) => ({ object_id: ours.object })),
  "point.untieObject": {
    input: async ({ api, ours }) => {
      await sql`update accounting_point set object_id = ${ours.object} where id = ${ours.accountingPoint}`.execute(
        api.services.database.system,
      );
      return { body: { accounting_point_id: ours.accountingPoint, object_id: ours.object } };
    },
    foreign: {
      kind: "accountingPoint",
      input: (id, { ours }) => ({ body: { accounting_point_id: id, object_id: ours.object } }),
    },
  },
  "point.tabs": ofPoint,
  "point.logs": ofPoint,
  "point.following": {},
  "point.resourceTypes": {},
  "point.progress": {},
  "point.tieDevice": {
    ...withDevice,
    input: async (fixture) => ({
      body: {
        accounting_point_id: await aPoint(fixture),
        device_id: await aSpareDevice(fixture, false),
        starting_value: 7,
      },
    }),
  },
  "point.untieDevice": {
    ...withDevice,
    input: async (fixture) => {
      const { point, device } = await aMeasuredPoint(fixture);
      return { body: { accounting_point_id: point, device_id: device, last_value: 9 } };
    },
  },
  "point.replaceDevice": {
    ...withDevice,
    input: async (fixture) => ({ body: await replacement(fixture) }),
  },
  "point.checkReplacement": {
    ...withDevice,
    input: async (fixture) => ({ body: await replacement(fixture) }),
  },
  "point.undoReplacement": {
    input: async (fixture) => ({ body: { accounting_point_id: await replaced(fixture) } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ body: { accounting_point_id: id } }) },
  },
  "point.registers": withDevice,
  "point.correctTie": {
    input: async (fixture) => {
      const { point, tie } = await aMeasuredPoint(fixture);
      return {
        body: { accounting_point_id: point, tie_number: tie, opening: { tariff0: 3 }, reason: "Act 118/26" },
      };
    },
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({
        body: { accounting_point_id: id, tie_number: 1, opening: { tariff0: 3 }, reason: "Act 118/26" },
      }),
    },
  },
  "point.checkCorrection": {
    input: async (fixture) => {
      const { point, tie } = await aMeasuredPoint(fixture);
      return { body: { accounting_point_id: point, tie_number: tie, opening: { tariff0: 3 } } };
    },
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ body: { accounting_point_id: id, tie_number: 1, opening: { tariff0: 3 } } }),
    },
  },
  "point.messages": {
    input: ({ ours }) => ({ body: { accounting_point_id: ours.accountingPoint, msgType: 1, ...inFebruary } }),
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ body: { accounting_point_id: id, msgType: 1, ...inFebruary } }),
    },
  },
  "point.validatedPowerProfile": {
    input: ({ ours }) => ({ body: { accounting_point_ids: [ours.accountingPoint], ...inFebruary } }),
    foreign: {
      kind: "accountingPoint",
      input: (id, { ours }) => ({
        body: { accounting_point_ids: [ours.accountingPoint, id], ...inFebruary },
      }),
    },
  },
  "point.rejectedData": {
    input: ({ ours }) => ({ body: { accounting_point_id: ours.accountingPoint, per_page: 10 } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ body: { accounting_point_id: id } }) },
  },
  "point.import": {
    input: () => ({ body: { text: "Name;Resource\nFrom a file;3\n" } }),
  },
  "point.history": ofPoint,
  "point.months": ofPoint,
  "point.why": {
    input: ({ ours }) => ({ body: { accounting_point_id: ours.accountingPoint, month: "2026-02" } }),
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ body: { accounting_point_id: id, month: "2026-02" } }),
    },
  },
  "point.addEvent": changing(() => ({ kind: "verified", ts: february, note: "Seal 7" })),
  "point.removeEvent": {
    input: async (fixture) => {
      const { ours, api } = fixture;
      const point = ours.accountingPoint;
      const { rows } = await sql<{ id: number }>`
        insert into point_event (point_id, company_id, ts, kind) values (${point}, ${ours.company}, ${february}, 'note')
        returning id`.execute(api.services.database.system);
      return { body: { accounting_point_id: point, event_number: rows[0]?.id } };
    },
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ body: { accounting_point_id: id, event_number: 1 } }),
    },
  },
  "point.files": ofPoint,
  "point.addFile": {
    input: async (fixture) => ({
      params: { id: String(await aPoint(fixture)) },
      body: { name: "act.pdf", base64: aPdf },
    }),
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ params: { id: String(id) }, body: { base64: aPdf } }),
    },
  },
  "point.fileBytes": ofFile,
  "point.deleteFile": ofFile,
  "point.setTerm": changing(() => ({ kind: "ratio", number: 40, from: february })),
  "transformer.tie": changing(({ ours }) => ({ transformer_id: ours.transformer, from: february })),
  "transformer.untie": {
    input: async (fixture) => {
      const { ours, api } = fixture;
      const point = ours.accountingPoint;
      await sql`
        delete from point_term where point_id = ${point} and kind = 'current_transformer'`.execute(
        api.services.database.system,
      );
      await sql`insert into point_term (point_id, company_id, kind, from_ts, transformer_id)
        values (${point}, ${ours.company}, 'current_transformer', ${february}, ${ours.transformer})`.execute(
        api.services.database.system,
      );
      return { body: { accounting_point_id: point, transformer_id: ours.transformer } };
    },
    foreign: {
      kind: "transformer",
      input: (id, { ours }) => ({
        body: { accounting_point_id: ours.accountingPoint, transformer_id: id },
      }),
    },
  },
};
