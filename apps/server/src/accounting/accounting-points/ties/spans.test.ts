import { accountingPoints, pointDevices, pointHistory } from "@metrum/contract/accounting";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const day = 86_400;

/** A device measures a point; `to` exclusive, null without an end. */
interface Span {
  readonly point: number;
  readonly device: number;
  readonly from: number;
  readonly to: number | null;
}

/** Devices and points by their place among those of a case; moments in whole days, beside each other as often as not. */
const act = fc.record({
  isTied: fc.boolean(),
  point: fc.nat(1),
  device: fc.nat(1),
  from: fc.integer({ min: 1, max: 6 }),
  length: fc.option(fc.integer({ min: 0, max: 3 })),
});
type Act = typeof act extends fc.Arbitrary<infer Of> ? Of : never;

const overlaps = (a: Span, b: Omit<Span, "point" | "device">): boolean =>
  a.from < (b.to ?? Infinity) && b.from < (a.to ?? Infinity);

/** The spans after an act; undefined: it is refused. */
function afterAct(spans: readonly Span[], { isTied, point, device, from, length }: Act): Span[] | undefined {
  if (isTied) {
    const to = length === null ? null : from + length;
    const isFree = spans
      .filter((each) => each.point === point || each.device === device)
      .every((each) => !overlaps(each, { from, to }));
    return isFree && to !== from ? [...spans, { point, device, from, to }] : undefined;
  }
  const last = spans
    .filter((each) => each.point === point && (each.to ?? Infinity) > from)
    .reduce<Span | undefined>((one, each) => (one && one.from > each.from ? one : each), undefined);
  if (last?.device !== device || from <= last.from) return undefined;
  return spans.map((each) => (each === last ? { ...each, to: from } : each));
}

async function aPoint(): Promise<number> {
  const answer = await tree.ask(accountingPoints.create, { title: "Input", resource_type_id: 3 });
  return answer.data.accounting_point.id;
}

it("AP-004 AP-030 no two devices measure a point at once, no device two points, whatever the order of ties", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 12 }), async (acts) => {
      const points = [await aPoint(), await aPoint()];
      const devices = [await tree.aDevice(), await tree.aDevice()];
      const start = tree.api.services.clock.now() - 20 * day;
      const at = (moment: number): number => start + moment * day;
      let spans: readonly Span[] = [];
      for (const each of acts) {
        const named = { accounting_point_id: points[each.point] ?? 0, device_id: devices[each.device] ?? 0 };
        const next = afterAct(spans, each);
        const end = each.length === null ? {} : { to: at(each.from + each.length) };
        const { status } = each.isTied
          ? await tree.ask(pointDevices.tieDevice, { ...named, from: at(each.from), ...end })
          : await tree.ask(pointDevices.untieDevice, { ...named, to: at(each.from) });
        expect([each, status < 300]).toEqual([each, next !== undefined]);
        spans = next ?? spans;
      }
      for (const [place, id] of points.entries()) {
        const { data } = await tree.ask(pointHistory.history, { accounting_point_id: id });
        const shown = data.devices.map(({ device_id, from, to }) => [device_id, from, to]);
        const expected = spans
          .filter(({ point }) => point === place)
          .map(({ device, from, to }) => [devices[device], at(from), to === null ? null : at(to)]);
        expect(shown.toSorted()).toEqual(expected.toSorted());
      }
    }),
    { numRuns: 30 },
  );
});
