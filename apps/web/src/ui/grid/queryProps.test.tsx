// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { ApiError } from "#lib/call";
import { draw, useScreen } from "#testing/dom.tsx";
import { GridNote } from "./GridStates.tsx";
import { useQueryProps } from "./list.ts";

useScreen();

const baseQuery = {
  isPending: false,
  isPlaceholderData: false,
  data: undefined,
  error: null,
  refetch: () => Promise.resolve(),
};
const failed = new ApiError({ status: 502, code: "bad_gateway", msg: "no answer" });

async function statusOf(query: Parameters<typeof useQueryProps>[0]): Promise<string> {
  let status = "";
  function Probe() {
    status = useQueryProps(query).status;
    return <i>{status}</i>;
  }
  await draw(<Probe />);
  return status;
}

describe("the states of a list", () => {
  it("rows that are there stay while a later request fails", async () => {
    expect(await statusOf({ ...baseQuery, isPending: true })).toBe("loading");
    expect(await statusOf({ ...baseQuery, error: failed })).toBe("error");
    expect(await statusOf({ ...baseQuery, data: {}, error: failed })).toBe("ready");
    expect(await statusOf({ ...baseQuery, data: {} })).toBe("ready");
  });

  it("a failure has an alarm mark, an empty filter result has none", async () => {
    await draw(<GridNote kind="filtered" text="Nothing fits" actionText="Reset" />);
    expect(document.querySelector("[role=status]")?.textContent).toBe("Nothing fits");
    await draw(<GridNote kind="error" text="Did not load" actionText="Again" />);
    expect(document.querySelector("[role=alert]")?.textContent).toContain("◆");
  });
});
