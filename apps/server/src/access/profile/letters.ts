import { defineLetter, letterText as text } from "#access/letters";

export const twoFactorOn = defineLetter({
  id: "two_factor_on",
  parameters: [],
  subject: text("Двухфакторный вход включён", "Two-factor sign-in is on", "Хоёр шатлалт нэвтрэлт идэвхжлээ"),
  body: [
    text(
      "При входе в вашу учётную запись теперь нужен одноразовый код. Если это были не вы, смените пароль и обратитесь к администратору компании.",
      "Signing in to your account now needs a one-time code. If this was not you, change the password and ask the administrator of your company.",
      "Таны бүртгэлд нэвтрэхэд одоо нэг удаагийн код хэрэгтэй. Хэрэв энэ та биш бол нууц үгээ сольж, компанийн администраторт хандана уу.",
    ),
  ],
  action: text("Войти", "Sign in", "Нэвтрэх"),
});

export const twoFactorOff = defineLetter({
  id: "two_factor_off",
  parameters: [],
  subject: text("Двухфакторный вход выключен", "Two-factor sign-in is off", "Хоёр шатлалт нэвтрэлт унтарлаа"),
  body: [
    text(
      "При входе в вашу учётную запись одноразовый код больше не нужен. Если это были не вы, сразу смените пароль и включите двухфакторный вход снова.",
      "Signing in to your account no longer needs a one-time code. If this was not you, change the password at once and set two-factor sign-in up again.",
      "Таны бүртгэлд нэвтрэхэд нэг удаагийн код хэрэггүй болсон. Хэрэв энэ та биш бол нууц үгээ нэн даруй сольж, хоёр шатлалт нэвтрэлтийг дахин идэвхжүүлнэ үү.",
    ),
  ],
  action: text("Войти", "Sign in", "Нэвтрэх"),
});

/** Letters about the second factor of an account. */
export const secondFactorLetters = [twoFactorOn, twoFactorOff] as const;
