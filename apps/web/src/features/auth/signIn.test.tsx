// @vitest-environment happy-dom
import { auth } from "@metrum/contract/access";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { storedToken } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { LoginPage } from "./LoginPage.tsx";
import { plainOffer } from "./siteOffer.ts";
import { errorDialogAfterMs } from "./useSignIn.ts";

useScreen("auth", "additions");
const onSignedIn = vi.fn(() => Promise.resolve());
beforeEach(() => onSignedIn.mockClear());

const open = (offer: Partial<typeof plainOffer> = {}) =>
  draw(<LoginPage site={{ ...plainOffer, ...offer }} onSignedIn={onSignedIn} />);
const email = () => field("E-mail");
const password = () => field("Password");
const enter = () => click(button("Sign in"));
const named = (name: string) => document.querySelector<HTMLInputElement>(`form [name=${name}]`);
async function fill(): Promise<void> {
  await type(email(), "engineer@metrum.example");
  await type(password(), "Metrum!2026");
}

type Refused = readonly [status: number, field: string];
/** Refuses the sign-ins in turn, then accepts one. Returns the requests. */
function serve(...refusals: readonly Refused[]) {
  const left = [...refusals];
  let captchas = 0;
  const requests = stubServer({
    "auth/directory": () => answer({ access_token: "token" }),
    "auth/login": () => {
      const next = left.shift();
      if (next === undefined) return answer({ access_token: "token" });
      return refusal(next[0], "no", "Not like this", { [next[1]]: ["needed"] });
    },
    captcha: () =>
      answer({
        key: `key${String((captchas += 1))}`,
        image: "data:image/svg+xml,",
        challenge: { salt: "s", difficulty: 1, parts: 1 },
      }),
  });
  return async (): Promise<readonly unknown[]> => {
    const tries = requests.filter(({ url }) => /auth\/(login|directory)$/.test(url));
    return Promise.all(tries.map((each) => each.clone().json()));
  };
}

describe("signing in", () => {
  it("LOGIN-002 LOGIN-003: without e-mail or password nothing is sent and the missing field is reported", async () => {
    const sent = serve();
    await open();

    await enter();
    expect([faultAt(email()), faultAt(password())]).toEqual(["Fill in this field", "Fill in this field"]);
    await type(email(), "engineer@metrum.example");
    await enter();

    await found(() => document.activeElement === password());
    expect([faultAt(email()), faultAt(password())]).toEqual([undefined, "Fill in this field"]);
    expect(await sent()).toEqual([]);
  });

  it("LOGIN-030: fields are named for password managers and the password can be made visible", async () => {
    await open();
    expect([email().autocomplete, password().autocomplete]).toEqual(["username", "current-password"]);
    expect(password().getAttribute("type")).toBe("password");

    await click(button("Show password"));

    expect(named("password")?.type).toBe("text");
  });

  it("UI-064 LOGIN-001: a repeated Enter sends one request, valid by the contract", async () => {
    const sent = serve();
    // The form stays until the shell is shown.
    onSignedIn.mockReturnValueOnce(new Promise(() => undefined));
    await open();
    await fill();

    await press("Enter");
    await press("Enter");

    await found(() => onSignedIn.mock.calls.length === 1);
    const [body, ...others] = await sent();
    expect(body).toEqual({ email: "engineer@metrum.example", password: "Metrum!2026" });
    expect(others).toEqual([]);
    expect(auth.login.body?.safeParse(body).success).toBe(true);
    expect(storedToken()).toBe("token");
  });

  it("LOGIN-025: a refusal is shown in a dialog after half a second, and the input is kept", async () => {
    serve([422, "nothing"]);
    await open();
    await fill();
    const from = performance.now();
    await enter();

    await found(() => document.querySelector("[role=alertdialog]"));

    expect(performance.now() - from).toBeGreaterThanOrEqual(errorDialogAfterMs - 50);
    expect(says("Not like this")).toBe(true);
    await click(button("OK"));
    expect([email().value, password().value]).toEqual(["engineer@metrum.example", "Metrum!2026"]);
    expect(storedToken()).toBeNull();
  });
});

describe("additional checks", () => {
  it("LOGIN-004 LOGIN-007 LOGIN-009: captcha, code and consent appear only when the server requests them", async () => {
    await open();

    expect(document.querySelectorAll("form input")).toHaveLength(2);
    expect(document.querySelectorAll("form img, form [name=captcha]")).toHaveLength(0);
  });

  it("LOGIN-004 LOGIN-005: a captcha is required once shown, and each attempt needs a new one", async () => {
    const sent = serve([422, "captcha"], [422, "nothing"]);
    await open();
    await fill();
    await enter();
    await found(() => document.querySelector(".captcha img"));

    await enter();
    await found(() => document.activeElement === named("captcha"));
    expect(await sent()).toHaveLength(1);
    await type(field("Characters in the picture"), "abcde");
    await press("Enter");
    await found(() => document.querySelector("[role=alertdialog]"));

    expect((await sent())[1]).toMatchObject({ captcha: "abcde", captcha_key: "key1" });
    await found(() => named("captcha")?.value === "");
  });

  it("LOGIN-007 LOGIN-008 LOGIN-021: the code is requested when the server requires it, and the sixth digit submits it", async () => {
    const sent = serve([422, "one_t_p"]);
    await open();
    await fill();
    await enter();
    const code = await found(() => named("one_t_p"));

    await enter();
    await found(() => document.activeElement === code);
    await type(code, "40728");
    expect(await sent()).toHaveLength(1);
    await type(code, "407285");

    await found(() => onSignedIn.mock.calls.length === 1);
    expect((await sent())[1]).toMatchObject({ one_t_p: "407285" });
  });

  it("LOGIN-007 LOGIN-019: a recovery code can replace the code of the app", async () => {
    const sent = serve([422, "one_t_p"]);
    await open();
    await fill();
    await enter();
    await click(await found(() => says("Use a recovery code") && button("Use a recovery code")));
    await type(field("Recovery code"), "x7k2m-9qhvw");
    await press("Enter");

    await found(() => onSignedIn.mock.calls.length === 1);
    expect((await sent())[1]).toMatchObject({ one_t_p: "x7k2m-9qhvw" });
  });

  it("LOGIN-009 LOGIN-023 LOGIN-024: consent is requested after a 449 and sent once it is ticked", async () => {
    const sent = serve([449, "personal_data_access"]);
    await open();
    await fill();
    await enter();
    await click(await found(() => named("personal_data_access")));
    await enter();

    await found(() => onSignedIn.mock.calls.length === 1);
    expect((await sent())[1]).toEqual({
      email: "engineer@metrum.example",
      password: "Metrum!2026",
      personal_data_access: true,
    });
  });

  it("LOGIN-029: the password is checked by the directory of the company", async () => {
    const sent = serve([422, "email"]);
    await open({ directories: ["ldap"] });
    await fill();
    const way = "Sign in with the company directory";
    await click(await found(() => says(way) && button(way)));

    await found(() => onSignedIn.mock.calls.length === 1);
    // Its own call: that of the local password would have refused it.
    expect((await sent())[0]).toEqual({ email: "engineer@metrum.example", password: "Metrum!2026" });
  });
});
