// @vitest-environment happy-dom
import type { Consumer, PartyPoint, Supplier } from "@metrum/contract/access";
import type { Transformer } from "@metrum/contract/accounting";
import { beforeEach, describe, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { messageText } from "#ui/snackbar";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ConsumerCard } from "./ConsumerCard.tsx";
import { ConsumersPage } from "./ConsumersPage.tsx";
import { SupplierCard } from "./SupplierCard.tsx";
import { SuppliersPage } from "./SuppliersPage.tsx";
import { TransformersPage } from "./TransformersPage.tsx";

useScreen("directories", "grid", "settings");
beforeEach(() => startSession("token"));

const bakery: Consumer = {
  ...{ _id: "7", name: "Bakery", inn: "7701234567", number_of_contract: "12-A", subject_type_id: 2 },
  ...{
    address: "Darkhan",
    comment: "pays on time",
    registration_date: "2019-02-28",
    registration_number: "1027",
  },
  ...{ phone_number: null, email: null, account_access_enabled: false, measurement_code_object: "M-9" },
  ...{ point_count: 2, created_at: 1_793_491_200, erased_at: null },
};
const plant: Supplier = {
  ...{ _id: "8", name: "Power plant", inn: "", number_of_contract: "8", email: "a@plant.example" },
  ...{ report_date: "2026-12-01", point_count: 0, created_at: 1_793_491_200 },
};
const coil: Transformer = {
  ...{ id: 9, title: "TT-9", kind: "current", primary_value: 200, secondary_value: 5, ratio: 40 },
  ...{ accuracy_class: "0.5S", number: "SN-771", verified_at: null, verified_until: "2032-05-01" },
  ...{ point_count: 1, created_at: 1_793_491_200 },
};
const aPoint = (id: number, name: string, to_ts: number | null): PartyPoint => ({
  ...{ accounting_point_id: id, name, address: "Sukhbaatar 4", resource_type_id: 3 },
  ...{ timezone: "Asia/Ulaanbaatar", from_ts: 1_767_196_800, to_ts, device_id: 31, device_name: "Meter 31" },
});

async function serve(more: Readonly<Record<string, () => Response>> = {}, access = anAccess("admin")) {
  const requests = stubServer({
    ...asUser(access),
    "reference/consumer/list": () => answer({ consumers: pageOf([bakery]) }),
    "reference/consumer/7": () => answer({ consumer: bakery }),
    "reference/consumer/points": () =>
      answer({ points: pageOf([aPoint(1, "Feeder 1", null), aPoint(2, "Feeder 2", 1_769_875_200)]) }),
    "reference/supplier/list": () => answer({ suppliers: pageOf([plant]) }),
    "reference/supplier/8": () => answer({ supplier: plant }),
    "reference/supplier/points": () => answer({ points: pageOf([]) }),
    "reference/transformer/list": () => answer({ transformers: pageOf([coil]) }),
    ...more,
  });
  await loadSession();
  return requests;
}

const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();
const asks = (requests: readonly Request[], path: string, method: string) =>
  requests.filter(({ url, method: own }) => url.endsWith(`/api/${path}`) && own === method);
const submit = async () =>
  click(await found(() => document.querySelector<HTMLElement>("dialog button[type=submit]")));
const choose = async (title: string) => click(await found(() => field(title)));

describe("the directories", () => {
  it("REF-011 REF-001 consumers are a list with tabs of the others above; one opens its card beside it", async () => {
    await serve();
    await draw(<ConsumersPage />);
    await found(() => says("Bakery"));

    expect([...document.querySelectorAll("[role=tab]")].map(({ textContent }) => textContent)).toEqual([
      "Consumers",
      "Suppliers",
      "Transformers",
      "Balance groups",
    ]);
    await click(await found(() => document.querySelector<HTMLElement>("td a[href*='id=7']")));

    await found(() => says("Feeder 1"));
    expect(document.querySelector("td a[aria-current=true]")?.textContent).toBe("Bakery");
    expect(says("since 01.01.2026 00:00")).toBe(true);
    expect(says("01.01.2026 00:00 to 01.02.2026 00:00")).toBe(true);
    expect(
      document.querySelector("a[href='#/cloud/devices/accounting-point-card/31?point_id=1']"),
    ).not.toBeNull();
  });

  it("REF-013 REF-003 the search goes to the server and says how many were found", async () => {
    const requests = await serve();
    await draw(<ConsumersPage />);
    await found(() => says("Bakery"));

    const box = await found(() => document.querySelector<HTMLInputElement>("[role=searchbox]"));
    expect(box.placeholder).toBe("Name, taxpayer number, contract or address");
    await type(box, "12-A");

    await found(() => requests.some(({ url }) => url.endsWith("consumer/list")) && says("Found: 1"));
    expect(await sent(requests, "reference/consumer/list")).toMatchObject({ search_string: "12-A", page: 1 });
  });

  it("an empty directory says what it is for, a failing one why", async () => {
    await serve({ "reference/supplier/list": () => answer({ suppliers: pageOf([]) }) });
    await draw(<SuppliersPage />);
    await found(() => says(/There are no suppliers yet/));

    await serve({ "reference/transformer/list": () => refusal(503, "database_away", "Away for a moment") });
    await draw(<TransformersPage />);
    await found(() => says("Away for a moment"));
  });
});

describe("the form of a consumer", () => {
  const open = async (more: Readonly<Record<string, () => Response>> = {}) => {
    const requests = await serve(more);
    await draw(<ConsumersPage />);
    await found(() => says("Bakery"));
    await click(button("Add"));
    await found(() => field("Registration number"));
    return requests;
  };

  it("REF-012 another type hides the fields of the former one and clears them", async () => {
    const requests = await open({
      "reference/consumer/create": () => answer({ consumer: bakery }, 200, { msg: "Added" }),
    });
    await type(field("Name"), "Dorj");
    await type(field("Registration number"), "77");

    await choose("Person");
    expect(field("E-mail")).toBeTruthy();
    expect(says("Registration number")).toBe(false);
    await choose("Organisation");
    expect(field("Registration number")).toMatchObject({ value: "" });
    await choose("Person");
    await type(field("E-mail"), "dorj@mail.example");
    await submit();

    expect(await sent(requests, "reference/consumer/create")).toEqual({
      ...{ name: "Dorj", subject_type_id: 1, inn: "", number_of_contract: "", address: "", comment: "" },
      ...{ measurement_code_object: "", account_access_enabled: false },
      ...{ phone_number: "", email: "dorj@mail.example" },
    });
  });

  it("REF-013 taxpayer number and e-mail are checked at their fields before anything is sent", async () => {
    const requests = await open();
    await choose("Person");
    await type(field("Taxpayer number"), "123");
    await type(field("E-mail"), "nobody");
    await submit();

    await found(() => faultAt(field("Taxpayer number")));
    expect([faultAt(field("Name")), faultAt(field("Taxpayer number")), faultAt(field("E-mail"))]).toEqual([
      expect.any(String),
      "10 digits for an organisation, 12 for a person",
      "This is not an e-mail address",
    ]);
    expect(asks(requests, "reference/consumer/create", "POST")).toEqual([]);
  });

  it("REF-015 only changed fields are sent, so what others change meanwhile stays", async () => {
    const requests = await serve({
      "reference/consumer/update": () => answer({ consumer: bakery }, 200, { msg: "Saved" }),
    });
    await draw(<ConsumerCard id="7" onRemoved={() => undefined} />);
    await click(await found(() => button("Change")));
    await found(() => field("Comment"));
    await type(field("Comment"), "moved out");
    await submit();

    expect(await sent(requests, "reference/consumer/update")).toEqual({ _id: "7", comment: "moved out" });
  });
});

describe("what cannot be undone", () => {
  const menu = async (name: string, item: string) => {
    await click(await found(() => button(`Actions: ${name}`)));
    await click(await found(() => button(item)));
    await found(() => document.querySelector("dialog input"));
  };
  const confirm = async (id: string) => {
    const input = await found(() => document.querySelector<HTMLInputElement>("dialog input"));
    await type(input, id);
    await submit();
  };

  it.each([
    ["consumer", "Bakery", "7", <ConsumerCard key="c" id="7" onRemoved={() => undefined} />],
    ["supplier", "Power plant", "8", <SupplierCard key="s" id="8" onRemoved={() => undefined} />],
  ])(
    "UI-051 REF-013 a %s is deleted by its typed number; another one is refused with msg_60",
    async (kind, name, id, card) => {
      const requests = await serve();
      await draw(card);
      await menu(name, "Delete");
      await confirm("99");
      await found(() => says("The number entered does not match the record"));
      expect(asks(requests, `reference/${kind}/${id}`, "DELETE")).toEqual([]);

      await menu(name, "Delete");
      await confirm(id);

      await found(() => asks(requests, `reference/${kind}/${id}`, "DELETE").length === 1);
      expect(await messageText("msg_60")).toBe("The number entered does not match the record");
    },
  );

  it("data of a consumer are erased by the typed number; then they cannot be changed or erased", async () => {
    const gone = { ...bakery, name: "№ 7", erased_at: 1_793_491_200 };
    let isErased = false;
    const requests = await serve({
      "reference/consumer/7": () => answer({ consumer: isErased ? gone : bakery }),
      "reference/consumer/erase": () => {
        isErased = true;
        return answer({ consumer: gone }, 200, { msg: "Erased" });
      },
    });
    await draw(<ConsumerCard id="7" onRemoved={() => undefined} />);
    await menu("Bakery", "Erase data");
    await confirm("7");

    expect(await sent(requests, "reference/consumer/erase")).toEqual({ consumer_id: "7" });
    await found(() => says(/Data erased/));
    expect(() => button("Change")).toThrow();
  });
});
