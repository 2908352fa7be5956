// @vitest-environment happy-dom
import { PasswordReset, Signup } from "@metrum/contract/access";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { ForgotPage } from "./ForgotPage.tsx";
import { RegistrationPage } from "./RegistrationPage.tsx";
import { ResetPage } from "./ResetPage.tsx";
import { ownOffset } from "./rules.ts";

useScreen("registration", "additions");
const onDone = vi.fn();
beforeEach(() => onDone.mockClear());

const named = (name: string) => {
  const [control] = document.getElementsByName(name);
  if (!(control instanceof HTMLInputElement)) throw new Error(`no field ${name}`);
  return control;
};
const note = (name: string) => faultAt(named(name));
const secret = "Kx7!mPqw";
const filled = {
  name: "Dispatcher",
  email: "dispatch@valley.example",
  company_name: "Valley Heat Networks",
  inn: "0123456789",
  phone_number: "97699112233",
  password: secret,
  password_confirmation: secret,
};
async function fill(given: Partial<typeof filled> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...filled, ...given })) await type(named(name), value);
}
const snackbar = () => document.querySelector(".snackbar")?.textContent;
const met = () => document.querySelectorAll(".password-needs [data-met]").length;

describe("registration", () => {
  const open = (usesRandomPasswords = false) =>
    draw(<RegistrationPage usesRandomPasswords={usesRandomPasswords} onDone={onDone} />);
  const register = () => click(button("Register"));

  it("REG-012 REG-013 REG-014: sends type 1, the offset of the browser and every field of the form", async () => {
    const requests = stubServer({ "auth/signup": () => answer({}, 200, { msg: "A letter is on its way" }) });
    await open();
    await fill();

    await register();

    await found(() => says("A letter is on its way"));
    const body: unknown = await requests[0]?.json();
    expect(body).toEqual({
      ...filled,
      phone_number: "+97699112233",
      company_type_id: 1,
      user_time_zone: ownOffset(new Date()),
    });
    expect(Signup.safeParse(body).success).toBe(true);
    expect(onDone).not.toHaveBeenCalled();
    await click(button("OK"));
    await found(() => onDone.mock.calls.length === 1);
  });

  it("REG-003 REG-004 REG-006 REG-008 REG-009 REG-010 REG-011: an empty form is not sent; every fault is reported, the first has the focus", async () => {
    const requests = stubServer({});
    await open();

    await register();

    await found(() => note("email") === "Enter a valid e-mail address");
    expect(note("password")).toBe("Fill in this field");
    expect(note("password_confirmation")).toMatch(/at least 8|8 characters/);
    expect(note("company_name")).toBe("Fill in this field");
    expect(note("inn")).toMatch(/10/);
    expect(note("phone_number")).toBe("A phone number has 10 to 15 characters");
    expect(note("name")).toBeUndefined();
    expect(document.activeElement).toBe(named("email"));
    await type(named("email"), "a@b.example");
    expect(note("email")).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it("REG-005: the password rule is checked while typing; a weak one is not sent", async () => {
    const requests = stubServer({});
    await open();
    const counts = [met()];
    for (const typed of ["k", "kX", "kX7", "kX7!", "kX7!mPqw"]) {
      await type(named("password"), typed);
      counts.push(met());
    }
    expect(counts).toEqual([0, 1, 2, 3, 4, 5]);
    await fill({ password: "kx7!mpqw", password_confirmation: "kx7!mpqw" });

    await register();

    expect(note("password")).toMatch(/upper-case letter/);
    expect(requests).toEqual([]);
  });

  it("REG-005: a common password is refused by the server at its field", async () => {
    const words = "This password is easy to guess, choose another one";
    stubServer({
      "auth/signup": () => refusal(422, "common_password", words, { password: ["common_password"] }),
    });
    await open();
    await fill({ password: "P@ssw0rd1", password_confirmation: "P@ssw0rd1" });

    await register();

    await found(() => note("password") === words);
    expect(document.querySelector("[role=alertdialog], .snackbar")).toBeNull();
    expect(document.activeElement).toBe(named("password"));
  });

  it("REG-007: unequal passwords show the snackbar and mark the repetition", async () => {
    const requests = stubServer({});
    await open();
    await fill({ password_confirmation: "Kx7!mPqx" });

    await register();

    await found(() => snackbar()?.includes("The passwords differ"));
    expect(note("password_confirmation")).toBe("The passwords differ");
    expect(requests).toEqual([]);
  });

  it("REG-010: the telephone has a mask of a plus sign and 14 digits, the tax number 10 places", async () => {
    await open();
    await type(named("phone_number"), "8 (999) call 123-45-67 890 1234");

    expect(named("phone_number").value).toBe("+89991234567890");
    expect(named("inn").maxLength).toBe(10);
  });

  it("REG-002: if the server generates the passwords, the form has no password fields and sends none", async () => {
    const requests = stubServer({ "auth/signup": () => answer({}, 200, { msg: "sent" }) });
    await open(true);
    expect(document.querySelectorAll("form input[type=password]")).toHaveLength(0);
    const { password: _, password_confirmation: __, ...asked } = filled;
    for (const [name, value] of Object.entries(asked)) await type(named(name), value);

    await register();

    await found(() => says("Check your mailbox"));
    expect(Object.keys((await requests[0]?.json()) as object)).not.toContain("password");
  });

  it("a captcha requested by the server is sent with the next attempt, a new one with each attempt", async () => {
    let tries = 0;
    const challenge = { salt: "s", difficulty: 1, parts: 1 };
    const requests = stubServer({
      "auth/signup": () => {
        tries += 1;
        const code = tries === 1 ? "captcha_needed" : "captcha_wrong";
        return refusal(422, code, "Enter the characters", { captcha: [code] });
      },
      captcha: () => answer({ key: `key${String(tries)}`, image: "data:image/svg+xml,", challenge }),
    });
    await open();
    await fill();
    await register();
    await type(await found(() => document.querySelector<HTMLInputElement>("[name=captcha]")), "abcde");
    await found(() => document.querySelector(".captcha img"));
    expect(faultAt(named("captcha"))).toBeUndefined();
    await type(named("captcha"), "abcdef");

    await register();

    await found(() => faultAt(named("captcha")) === "Enter the characters");
    expect(await requests.findLast(({ url }) => url.endsWith("signup"))?.json()).toMatchObject({
      captcha: "abcdef",
      captcha_key: "key1",
    });
    expect(named("captcha").value).toBe("");
  });
});

describe("forgotten password", () => {
  const send = () => click(button("Send the letter"));

  it("REG-020: a failure is shown in the general snackbar and the form stays open", async () => {
    stubServer({ "auth/password/create": () => refusal(429, "too_many_requests", "Too many") });
    await draw(<ForgotPage onDone={onDone} />);
    await type(named("email"), "a@b.example");

    await send();

    await found(() => snackbar()?.includes("Too many"));
    expect(document.querySelector("[role=alertdialog]")).toBeNull();
    expect([named("email").value, onDone.mock.calls.length]).toEqual(["a@b.example", 0]);
  });

  it("REG-019: an invalid address is not sent", async () => {
    const requests = stubServer({});
    await draw(<ForgotPage onDone={onDone} />);
    await type(named("email"), "nobody");
    await press("Enter");

    expect(note("email")).toBe("Enter a valid e-mail address");
    expect(requests).toEqual([]);
  });

  const openReset = () => draw(<ResetPage token="t" email="a@b.example" minLength={8} onDone={onDone} />);

  it("REG-024 REG-028: short or unequal passwords are not sent", async () => {
    const requests = stubServer({});
    await openReset();
    await type(named("password"), "Rn4&");
    await type(named("password_confirmation"), "Rn4&");
    await click(button("Save the password"));
    expect(note("password_confirmation")).toMatch(/8 characters/);
    expect(note("password")).toMatch(/at least 8 characters/);

    await type(named("password"), "Rn4&wYtz");
    await type(named("password_confirmation"), "Rn4&wYty");
    await click(button("Save the password"));

    await found(() => snackbar()?.includes("The passwords differ"));
    expect(note("password_confirmation")).toBe("The passwords differ");
    expect(requests).toEqual([]);
  });

  it("sends address, token and both passwords; an expired link redirects to sign-in", async () => {
    const requests = stubServer({ "auth/password/reset": () => refusal(422, "link_dead", "Used") });
    await openReset();
    await type(named("password"), "Rn4&wYtz");
    await type(field("Password again"), "Rn4&wYtz");
    await press("Enter");

    await found(() => onDone.mock.calls.length === 1);
    const body: unknown = await requests[0]?.json();
    expect(body).toEqual({
      email: "a@b.example",
      token: "t",
      password: "Rn4&wYtz",
      password_confirmation: "Rn4&wYtz",
    });
    expect(PasswordReset.safeParse(body).success).toBe(true);
  });
});
