import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { addressBounds, addresses, type AddressSuggestion } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

/** A service that answers what a test tells it to. */
interface Service {
  readonly url: string;
  readonly asked: { readonly path: string; readonly body: string; readonly key: string }[];
  answer: (path: string) => {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly body: string;
  };
  readonly close: () => void;
}

async function openService(): Promise<Service> {
  const asked: Service["asked"] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { authorization, "master-token": master } = request.headers;
      const path = request.url ?? "";
      asked.push({ path, body, key: authorization ?? String(master ?? "") });
      const given = service.answer(path);
      response.writeHead(given.status ?? 200, given.headers ?? {});
      response.end(given.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const service: Service = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api`,
    asked,
    answer: () => ({ body: "[]" }),
    close: () => void server.close(),
  };
  return service;
}

const darkhan = { lat: "49.4669", lon: "105.9621", display_name: "14, Sukhbaatar, Darkhan", address: {} };
const detailed = {
  ...darkhan,
  address: {
    country: "Mongolia",
    state: "Darkhan-Uul",
    city: "Darkhan",
    road: "Sukhbaatar",
    house_number: "14",
  },
};

describe("without a service", () => {
  let tree: TreeApi;
  beforeAll(async () => {
    tree = await openTree();
  });
  afterAll(() => tree.api.close());

  it("TREE-025 TREE-016 TREE-021 every call answers that none is configured, and own addresses are suggested", async () => {
    const address = {
      unrestricted_value: "Darkhan, Sukhbaatar 14",
      city: "Darkhan",
      street: "Sukhbaatar",
      house: "14",
    };
    await tree.add("House 14", null, { address: { ...address, coordinates: [49.4669, 105.9621] } });
    const { data: suggested } = await tree.ask(addresses.dadata, { query: "sukhbaatar, 14" });
    const { data: hints } = await tree.ask(addresses.garHints, { query: "Sukhbaatar" });
    const { data: found } = await tree.ask(addresses.search, { query: "Nowhere 99" });

    expect(suggested).toEqual({
      suggestions: [{ ...address, coordinates: [49.4669, 105.9621], source: "own" }],
      is_configured: false,
      is_reached: true,
    });
    expect(hints).toEqual({ hints: [], is_configured: false, is_reached: true });
    expect(found).toEqual({ suggestions: [], is_configured: false, is_reached: true });
  });

  it("TREE-020 addresses of points are suggested too, each text once, five at most", async () => {
    const { system } = tree.api.services.database;
    for (const house of ["1", "2", "2", "3", "4", "5", "6"])
      await sql`insert into accounting_point (company_id, name, resource_type_id, city, street, house, timezone)
        values (${tree.api.companies.first}, 'Point', 3, 'Erdenet', 'Zaluuchuud', ${house}, 'Asia/Ulaanbaatar')`.execute(
        system,
      );

    const { data } = await tree.ask(addresses.dadata, { query: "erdenet zaluuchuud" });

    expect(data.suggestions.map(({ house }) => house)).toEqual(["1", "2", "3", "4", "5"]);
    expect(data.suggestions[0]).toMatchObject({
      unrestricted_value: "Erdenet, Zaluuchuud, 1",
      source: "own",
    });
  });

  it("TREE-020 coordinates find the nearest own addresses within half a kilometre", async () => {
    const named = (text: string, latitude: number) =>
      tree.add(text, null, { address: { unrestricted_value: text, coordinates: [latitude, 100] } });
    await named("Near", 30.001);
    await named("Nearest", 30.0001);
    await named("Far", 30.02);

    const { data } = await tree.ask(addresses.search, { lat: 30, lon: 100 });

    expect(data.suggestions.map(({ unrestricted_value }) => unrestricted_value)).toEqual(["Nearest", "Near"]);
    expect((await tree.ask(addresses.search, { lat: 30 })).status).toBe(422);
  });

  it("TREE-025 an address of another company, or one that a user may not read, is never suggested", async () => {
    await tree.add("Secret", null, { address: { unrestricted_value: "Secret street 7" } });
    const ask = async (email: string, call: typeof addresses.search) =>
      tree.api.ask(call, { token: await tree.api.token(email), input: { body: { query: "secret street" } } });

    expect((await ask("engineer2@metrum.example", addresses.search)).data.suggestions).toEqual([]);
    expect((await ask("viewer@metrum.example", addresses.search)).data.suggestions).toEqual([]);
    expect((await ask("engineer@metrum.example", addresses.search)).data.suggestions).toHaveLength(1);
  });
});

describe("with a service", () => {
  let service: Service;
  let tree: TreeApi;
  let now = 1_790_000_000;
  beforeAll(async () => {
    service = await openService();
    tree = await openTree({
      env: { METRUM_ADDRESS_URL: service.url, METRUM_GAR_URL: service.url, METRUM_GAR_KEY: "register key" },
      clock: { now: () => now },
    });
  });
  afterAll(async () => {
    await tree.api.close();
    service.close();
  });
  afterEach(() => {
    now += 3_600;
    service.asked.length = 0;
  });
  const ask = async (query: string) => (await tree.ask(addresses.search, { query })).data;

  it("TREE-020 its addresses come by parts with coordinates, forward and reverse, and are asked for once", async () => {
    service.answer = (path) => ({ body: JSON.stringify(path.includes("/reverse") ? detailed : [detailed]) });
    const expected: AddressSuggestion = {
      unrestricted_value: "14, Sukhbaatar, Darkhan",
      country: "Mongolia",
      region: "Darkhan-Uul",
      city: "Darkhan",
      street: "Sukhbaatar",
      house: "14",
      coordinates: [49.4669, 105.9621],
      source: "service",
    };

    const forward = await ask("Sukhbaatar 14");
    await ask("Sukhbaatar 14");
    const { data: reverse } = await tree.ask(addresses.search, { lat: 49.4669, lon: 105.9621 });

    expect(forward).toEqual({ suggestions: [expected], is_configured: true, is_reached: true });
    expect(reverse.suggestions).toEqual([expected]);
    expect(service.asked.map(({ path }) => path.split("?")[0])).toEqual(["/api/search", "/api/reverse"]);
  });

  it("TREE-021 hints of the register are texts, asked for with its key", async () => {
    service.answer = () => ({
      body: JSON.stringify({ hints: [{ full_name: "г. Чита, ул. Ленина, д. 1" }] }),
    });

    const { data } = await tree.ask(addresses.garHints, { query: "Чита Ленина" });

    expect(data.hints).toEqual([{ unrestricted_value: "г. Чита, ул. Ленина, д. 1", source: "service" }]);
    expect(service.asked).toMatchObject([{ key: "register key" }]);
  });

  it.each([
    ["an error", { status: 500, body: "[]" }],
    ["no JSON", { body: "<html>" }],
    ["another shape", { body: JSON.stringify([{ lat: { deep: true }, display_name: 7 }]) }],
    ["too much", { body: JSON.stringify([{ display_name: "x".repeat(300_000) }]) }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" }],
  ])("TREE-025 %s is no answer: nothing fails, and own addresses still come", async (what, answer) => {
    service.answer = () => answer;
    await tree.add("Own", null, { address: { unrestricted_value: `Own street ${what}` } });

    const data = await ask(`own street ${what}`);

    expect(data).toMatchObject({ is_configured: true, is_reached: false });
    expect(data.suggestions).toMatchObject([{ source: "own" }]);
  });

  it("TREE-020 impossible coordinates and endless texts of a service are dropped", async () => {
    service.answer = () => ({
      body: JSON.stringify([
        { display_name: "Beyond", lat: "1e9", lon: "20" },
        { display_name: "y".repeat(1000), lat: "1", lon: "2" },
        { display_name: " ", lat: "1", lon: "2" },
      ]),
    });

    const { suggestions } = await ask("strange");

    expect(
      suggestions.map(({ coordinates, unrestricted_value }) => [coordinates, unrestricted_value?.length]),
    ).toEqual([
      [undefined, 6],
      [[1, 2], 255],
    ]);
  });

  it("TREE-020 a company that asks too often waits for the next minute, others do not", async () => {
    service.answer = () => ({ body: "[]" });
    for (let at = 0; at < addressBounds.perMinute; at += 1) await ask(`text ${String(at)}`);

    const beyond = await ask("one more");
    const { data: other } = await tree.api.ask(addresses.search, {
      token: await tree.api.token("engineer2@metrum.example"),
      input: { body: { query: "theirs" } },
    });
    now += 60;

    expect([beyond.is_reached, other.is_reached, (await ask("one more")).is_reached]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("with DaData", () => {
  it("TREE-016 details of an address come with its parts", async () => {
    const service = await openService();
    service.answer = () => ({
      body: JSON.stringify({
        suggestions: [
          {
            value: "г Чита, ул Ленина, д 1",
            unrestricted_value: "672000, Забайкальский край, г Чита, ул Ленина, д 1",
            data: {
              country: "Россия",
              region_with_type: "Забайкальский край",
              city: "Чита",
              street_with_type: "ул Ленина",
              house: "1",
              geo_lat: "52.03",
              geo_lon: "113.5",
            },
          },
        ],
      }),
    });
    const tree = await openTree({
      env: { METRUM_ADDRESS_URL: service.url, METRUM_ADDRESS_KIND: "dadata", METRUM_ADDRESS_KEY: "k" },
    });

    const { data } = await tree.ask(addresses.dadata, { query: "Чита Ленина 1" });

    expect(data.suggestions).toMatchObject([
      {
        region: "Забайкальский край",
        city: "Чита",
        street: "ул Ленина",
        house: "1",
        coordinates: [52.03, 113.5],
      },
    ]);
    expect(service.asked).toMatchObject([{ path: "/api/suggest/address", key: "Token k" }]);
    await tree.api.close();
    service.close();
  });
});
