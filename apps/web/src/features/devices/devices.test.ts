import { describe, expect, it } from "vitest";
import { readGridState } from "#ui/grid";
import { deviceList } from "./deviceList.tsx";
import { freshened, listInput } from "./devices.ts";

const inputFor = (search: Record<string, unknown>) => listInput(readGridState(search, deviceList.defaults));

describe("list call", () => {
  it("an empty address requests the first page of 25 by name", () => {
    expect(inputFor({})).toEqual({ page: 1, per_page: 25, sort_field: "name", sort: "asc" });
  });

  it("filters, sort and search of the address are those of the call", () => {
    const input = inputFor({
      q: "4120",
      sort: "-last_data",
      "f.status": "silent,never,nonsense",
      "f.resource": "4,1",
      "f.active": "inactive",
      page: 2,
    });

    expect(input).toEqual({
      page: 2,
      per_page: 25,
      sort_field: "last_data_at",
      sort: "desc",
      search_string: "4120",
      device_group_id: [4, 1],
      device_state: "inactive",
      fields_filter: { state: ["silent", "never"] },
    });
  });

  it("a search is sent from three characters", () => {
    expect(inputFor({ q: "41 " })).not.toHaveProperty("search_string");
    expect(inputFor({ q: " 412 " })).toMatchObject({ search_string: "412" });
  });
});

describe("live rows", () => {
  it("new data update the time of one row, and a silent device is on time again", () => {
    const row = { id: 7, state: "silent", last_data_at: 100 } as const;

    expect(freshened(row, { device_id: 7, to: 160 })).toEqual({ id: 7, state: "on_time", last_data_at: 160 });
    expect(freshened(row, { device_id: 8, to: 160 })).toBe(row);
  });

  it("old data that arrive late change nothing, and polling that is off stays off", () => {
    const row = { id: 7, state: "off", last_data_at: 100 } as const;

    expect(freshened(row, { device_id: 7, to: 90 })).toBe(row);
    expect(freshened(row, { device_id: 7, to: 160 })).toMatchObject({ state: "off", last_data_at: 160 });
  });
});
