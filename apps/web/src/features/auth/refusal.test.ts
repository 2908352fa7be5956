import { describe, expect, it } from "vitest";
import { ApiError } from "#lib/call";
import { refusalOf } from "./refusal.ts";
import { errorDialogAfterMs } from "./useSignIn.ts";

const refused = (status: number, attributes: Record<string, string[]>, msg: string | null = null) =>
  new ApiError({ status, code: "c", msg, attributes });

describe("a refused sign-in", () => {
  it("LOGIN-021: with attribute one_t_p the code is requested", () => {
    expect(refusalOf(refused(422, { one_t_p: ["needed"] })).asks).toBe("code");
  });

  it.each(["2FA code required", "Нужен одноразовый код", "Нэг удаагийн код оруулна уу"])(
    "LOGIN-020: is recognised by its message: %s",
    (msg) => {
      expect(refusalOf(refused(422, {}, msg)).asks).toBe("code");
    },
  );

  it("LOGIN-023: 449 with attribute personal_data_access requests consent, another status does not", () => {
    expect(refusalOf(refused(449, { personal_data_access: ["x"] })).asks).toBe("consent");
    expect(refusalOf(refused(422, { personal_data_access: ["x"] })).asks).toBe("nothing");
  });

  it("otherwise requests nothing and shows the server's message", () => {
    expect(refusalOf(refused(422, { email: ["x"] }, "Неверная почта или пароль"))).toEqual({
      asks: "nothing",
      msg: "Неверная почта или пароль",
    });
    expect(refusalOf(new Error("bug"))).toEqual({ asks: "nothing", msg: null });
  });

  it("LOGIN-025: is shown after 500 ms", () => {
    expect(errorDialogAfterMs).toBe(500);
  });
});

describe("a refused sign-in with a captcha", () => {
  it.each(["captcha", "captcha_key"])("LOGIN-022: attribute %s asks for a new one", (attribute) => {
    expect(refusalOf(refused(422, { [attribute]: ["captcha_wrong"] }, "Wrong"))).toEqual({
      asks: "captcha",
      msg: "Wrong",
    });
  });
});
