// @vitest-environment happy-dom
import type { Company } from "@metrum/contract/access";
import { act } from "react";
import { useTranslation } from "react-i18next";
import { beforeEach, expect, it } from "vitest";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { deleteCompany, switchCompany } from "./actions.ts";

useScreen("companies");
beforeEach(() => startSession("token"));

/** Only the fields of a company that the confirmations use. */
const company = (is_active: boolean) => ({ id: 7012, name: "North Heat", is_active }) as Company;

function Asks({ shown }: { readonly shown: Company }) {
  const { t } = useTranslation(["companies", "common"]);
  return (
    <>
      <button type="button" onClick={() => void switchCompany(shown, t)}>
        {"ask to switch"}
      </button>
      <button type="button" onClick={() => void deleteCompany(shown, t)}>
        {"ask to delete"}
      </button>
    </>
  );
}

const serve = () => stubServer({ "company/switch/7012": () => answer({}), "company/7012": () => answer({}) });
const isGone = () => found(() => document.querySelector("dialog") === null);

it.each([
  [true, "Switch off", { is_active: false }],
  [false, "Switch on", { is_active: true }],
])(
  "UI-005: the state of a company (active: %s) changes only after confirmation",
  async (isActive, yes, sent) => {
    const requests = serve();
    await draw(<Asks shown={company(isActive)} />);

    await click(button("ask to switch"));
    await found(() => says(isActive ? "Switch North Heat off?" : "Switch North Heat on?"));
    await click(button("Cancel"));
    await isGone();
    expect(requests).toHaveLength(0);
    await click(button("ask to switch"));
    await click(button(yes));

    await found(() => requests.length > 0);
    expect(requests[0]?.url).toContain("/7012");
    expect(await act(() => requests[0]?.json())).toEqual(sent);
  },
);

it("UI-006 UI-057 UI-067: a company is deleted by typing the shown id; an empty or wrong id deletes nothing", async () => {
  const requests = serve();
  await draw(<Asks shown={company(true)} />);
  await click(button("ask to delete"));
  const id = await found(() => field("Type the id of the company: 7012"));

  await click(button("Delete"));
  expect(faultAt(id)).toBeTruthy();
  await type(id, "7013");
  await click(button("Delete"));
  expect(faultAt(id)).toBe("The id is 7012");
  expect(requests).toHaveLength(0);
  await type(id, "7012");
  await click(button("Delete"));

  await found(() => requests.length > 0);
  expect([requests[0]?.method, new URL(requests[0]?.url ?? "").pathname]).toEqual([
    "DELETE",
    "/api/company/7012",
  ]);
});
