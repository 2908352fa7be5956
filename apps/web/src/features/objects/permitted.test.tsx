// @vitest-environment happy-dom
import { users, type AccessRules } from "@metrum/contract/access";
import { objects, objectTies, type TreeObject } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { sheetImports } from "@metrum/contract/metering";
import { act } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { keyOf, queryClient } from "#lib/call";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { messageText, snackQueue } from "#ui/snackbar";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { aGateway } from "#testing/carriers.ts";
import { button, click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser, aUser } from "#testing/session.ts";
import { moveNodes, removeNode, shiftNode } from "./actions.ts";
import { AttributesPart } from "./AttributesPart.tsx";
import { NodeDialog } from "./NodeDialog.tsx";
import { denials, isPermitted } from "./permitted.ts";
import { PickDialog } from "./PickDialog.tsx";
import { PlacedPart } from "./PlacedPart.tsx";
import { saveTree } from "./saveTree.ts";
import { UsersPart } from "./UsersPart.tsx";

useScreen("objects");
beforeEach(() => startSession("token"));

const noRules: AccessRules = { create: [], read: [], update: [], delete: [], access_all: [] };
const holding = (rules: Partial<AccessRules>) => ({
  ...anAccess([]),
  access_group: { id: 1, name: "", access_rules: { ...noRules, ...rules } },
});
const hold = (rules: Partial<AccessRules>) =>
  act(() => void queryClient.setQueryData(keyOf(users.access, {}), holding(rules)));

const counts = { devices: 0, gateways: 0, base_stations: 0, points: 0 };
const aNode = (_id: string): TreeObject => ({
  _id,
  name: `House ${_id}`,
  parentId: null,
  type: "house",
  childs_count: 0,
  nodes_below: 0,
  devices_info: counts,
  childs_devices_info: counts,
  address: null,
  created_at: 1_793_491_200,
});
const [house, neighbour] = [aNode("1"), aNode("2")];

describe("an action on objects without the right", () => {
  it.each([
    ["saving the tree", objects.export, "msg_101"],
    ["adding an object", objects.add, "msg_102"],
    ["changing an object", objects.update, "msg_103"],
    ["setting an attribute", objectTies.setAttribute, "msg_103"],
    ["removing an object", objects.remove, "msg_104"],
    ["tying devices", objectTies.tieDevices, "msg_105"],
    ["tying gateways", objectTies.tieGateways, "msg_106"],
    ["tying base stations", objectTies.tieBaseStations, "msg_107"],
    ["tying a user", objectTies.tieUser, "msg_108"],
    ["untying a user", objectTies.untieUser, "msg_108"],
    ["sorting objects", objects.updateSort, "msg_109"],
    ["importing objects", sheetImports.upload, "msg_109"],
  ] satisfies [string, Call, string][])(
    "ACL-034 ACL-029: %s is refused before the call, with the text of its key",
    async (_, definition, key) => {
      const words = await messageText(key);
      expect(words).not.toBe(key);
      hold({});

      expect(isPermitted(definition)).toBe(false);

      await expect.poll(() => snackQueue.get().map(({ text }) => text)).toEqual([words]);
    },
  );

  it("ACL-034: the keys are those of objects, msg_101 to msg_109, and all are used", () => {
    expect([...new Set(Object.values(denials))].toSorted()).toEqual(
      Array.from({ length: 9 }, (_, at) => `msg_${String(101 + at)}`),
    );
  });

  it("ACL-027 ACL-028: ties need the rights on both sides", () => {
    const both = () => [objectTies.tieDevices, objectTies.tieUser].map(isPermitted);
    const seen = [
      { update: [6], read: [4] },
      { update: [6], access_all: [4] },
      { update: [6], read: [6] },
    ].map((rules) => {
      hold(rules);
      return both();
    });
    hold({ update: [6] });

    expect([...seen, both()]).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});

describe("ACL-034 ACL-029: when rights are revoked while a screen is open, nothing is sent:", () => {
  /** Every right at first, and no answer to any change. */
  async function serve() {
    const requests = stubServer({
      ...asUser(anAccess("admin")),
      "objects/attributes": () => answer({ attributes: [{ name: "Built", value: "1987" }] }),
      "objects/users": () => answer({ users: [{ ...aUser.user, id: 7 }] }),
      "device/gateways": () =>
        answer({
          gateways: pageOf([aGateway({ name: "Cellar" })]),
          counts: { all: 1, archived: 0, deleted: 0 },
        }),
    });
    await loadSession();
    return requests;
  }
  const isChange = ({ url }: Request) =>
    /objects\/(add|update|update_sort|remove|branch|all\/export|tie|untie|attribute\/)/.test(url);

  /** Revokes the rights, acts, and expects the message of a key instead of a request. */
  async function expectRefusal(requests: readonly Request[], key: string, run: () => Promise<unknown>) {
    hold({});
    await run();
    await expect.poll(() => snackQueue.get().map(({ text }) => text)).toEqual([await messageText(key)]);
    expect(requests.filter(isChange)).toEqual([]);
  }

  it.each([
    ["moving", "msg_103", () => moveNodes([{ id: "1", from: null }], "2")],
    ["removing", "msg_104", () => removeNode(house, ((key: string) => key) as never)],
    ["sorting", "msg_109", () => shiftNode([house, neighbour], "1", 1)],
    ["saving the tree", "msg_101", () => saveTree("csv")],
  ] satisfies [string, string, () => Promise<unknown>][])("%s", async (_, key, run) => {
    await expectRefusal(await serve(), key, run);
  });

  it.each([
    ["changing", "msg_103", house, "Save"],
    ["adding", "msg_102", null, "Add"],
  ] as const)("%s a node keeps the form open", async (_, key, node, action) => {
    const requests = await serve();
    await draw(<NodeDialog node={node} parent={null} onClose={() => undefined} onSaved={() => undefined} />);
    await type(field("Name"), "House 14");

    await expectRefusal(requests, key, () => click(button(action)));

    expect(field("Name").value).toBe("House 14");
  });

  it("an attribute", async () => {
    const requests = await serve();
    await draw(<AttributesPart node={house} />);
    const remove = await found(() => document.querySelector<HTMLElement>("[aria-label='Remove Built']"));

    await expectRefusal(requests, "msg_103", () => click(remove));
  });

  it("a user", async () => {
    const requests = await serve();
    await draw(<UsersPart node={house} />);
    const untie = await found(() => document.querySelector<HTMLElement>("li button"));

    await expectRefusal(requests, "msg_108", () => click(untie));
  });

  it("a gateway that is taken away", async () => {
    const requests = await serve();
    await draw(<PlacedPart node={house} kind="gateways" />);
    const take = await found(() => document.querySelector<HTMLElement>("li button"));

    await expectRefusal(requests, "msg_106", () => click(take));
  });

  it("a gateway that is placed", async () => {
    const requests = await serve();
    await draw(<PickDialog node={house} kind="gateways" onClose={() => undefined} />);
    await found(() => says("Cellar"));
    await click(await found(() => document.querySelector<HTMLElement>("li input")));

    await expectRefusal(requests, "msg_106", () => click(button("Place here")));
  });
});
