import { defineLetter, ignoreLetter, letterText as text } from "#access/letters";

// Letters to an address typed by a stranger (activation, known_address, reset) contain no text typed by that
// stranger, so that they cannot be used to send spam.

export const activation = defineLetter({
  id: "activation",
  parameters: [],
  subject: text("Подтвердите регистрацию", "Confirm your registration", "Бүртгэлээ баталгаажуулна уу"),
  body: [
    text(
      "На этот адрес зарегистрирована компания. Откройте ссылку, чтобы начать работу. Она действует 48 часов.",
      "A company has been registered with this address. Open the link to start. It is valid for 48 hours.",
      "Энэ хаягаар компани бүртгүүлсэн байна. Ажлаа эхлэхийн тулд холбоосыг нээнэ үү. Холбоос 48 цаг хүчинтэй.",
    ),
    ignoreLetter,
  ],
  action: text("Подтвердить регистрацию", "Confirm the registration", "Бүртгэлийг баталгаажуулах"),
});

export const knownAddress = defineLetter({
  id: "known_address",
  parameters: [],
  subject: text(
    "У вас уже есть учётная запись",
    "You already have an account",
    "Танд бүртгэл аль хэдийн бий",
  ),
  body: [
    text(
      "Кто-то пытался зарегистрировать этот адрес ещё раз. У вас уже есть учётная запись, новая не создана. Если вы забыли пароль, задайте новый.",
      "This address was used for another registration. You already have an account, so no new one was created. If you have forgotten the password, set a new one.",
      "Хэн нэгэн энэ хаягийг дахин бүртгүүлэх гэж оролдлоо. Танд бүртгэл бий тул шинээр үүсгээгүй. Нууц үгээ мартсан бол шинээр тохируулна уу.",
    ),
  ],
  action: text("Восстановить пароль", "Recover the password", "Нууц үг сэргээх"),
});

export const reset = defineLetter({
  id: "reset",
  parameters: [],
  subject: text("Новый пароль", "A new password", "Шинэ нууц үг"),
  body: [
    text(
      "Для этого адреса запрошен новый пароль. Ссылка действует один час и только один раз.",
      "A new password was requested for this address. The link is valid for one hour and works once.",
      "Энэ хаягт шинэ нууц үг хүссэн байна. Холбоос нэг цаг, зөвхөн нэг удаа хүчинтэй.",
    ),
    ignoreLetter,
  ],
  action: text("Задать новый пароль", "Set a new password", "Шинэ нууц үг тохируулах"),
});

export const addressChanged = defineLetter({
  id: "address_changed",
  parameters: [],
  subject: text(
    "Адрес для входа изменён",
    "The sign-in address has been changed",
    "Нэвтрэх хаяг өөрчлөгдлөө",
  ),
  body: [
    text(
      "В вашей учётной записи указан другой адрес, на этот она больше не откликается. Если это были не вы, сразу обратитесь к администратору компании.",
      "Another address was set for your account; this one can no longer sign in. If this was not you, ask the administrator of your company at once.",
      "Таны бүртгэлд өөр хаяг тохируулсан тул энэ хаягаар нэвтрэхгүй болсон. Хэрэв энэ та биш бол компанийн администраторт нэн даруй хандана уу.",
    ),
  ],
  action: text("Войти", "Sign in", "Нэвтрэх"),
});

/** Letters about registrations, forgotten passwords and addresses. */
export const registrationLetters = [activation, knownAddress, reset, addressChanged] as const;
