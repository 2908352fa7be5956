import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

interface Kind {
  readonly subject: Text;
  /** Paragraphs; `{name}` is filled from the parameters of the letter. */
  readonly body: readonly Text[];
  /** Label of the link; a letter without one has no link. */
  readonly action: Text;
}

const ignore = text(
  "Если это были не вы, ничего не делайте: без перехода по ссылке ничего не изменится.",
  "If this was not you, ignore this letter: nothing changes unless the link is opened.",
  "Хэрэв энэ та биш бол юу ч хийх шаардлагагүй: холбоосыг нээхгүй бол юу ч өөрчлөгдөхгүй.",
);

/**
 * Texts of letters. A letter to an address typed by a stranger (activation, known_address, reset) contains no
 * text typed by that stranger, so that it cannot be used to send spam.
 */
export const letterKinds = {
  activation: {
    subject: text("Подтвердите регистрацию", "Confirm your registration", "Бүртгэлээ баталгаажуулна уу"),
    body: [
      text(
        "На этот адрес зарегистрирована компания. Откройте ссылку, чтобы начать работу. Она действует 48 часов.",
        "A company has been registered with this address. Open the link to start. It is valid for 48 hours.",
        "Энэ хаягаар компани бүртгүүлсэн байна. Ажлаа эхлэхийн тулд холбоосыг нээнэ үү. Холбоос 48 цаг хүчинтэй.",
      ),
      ignore,
    ],
    action: text("Подтвердить регистрацию", "Confirm the registration", "Бүртгэлийг баталгаажуулах"),
  },
  known_address: {
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
  },
  reset: {
    subject: text("Новый пароль", "A new password", "Шинэ нууц үг"),
    body: [
      text(
        "Для этого адреса запрошен новый пароль. Ссылка действует один час и только один раз.",
        "A new password was requested for this address. The link is valid for one hour and works once.",
        "Энэ хаягт шинэ нууц үг хүссэн байна. Холбоос нэг цаг, зөвхөн нэг удаа хүчинтэй.",
      ),
      ignore,
    ],
    action: text("Задать новый пароль", "Set a new password", "Шинэ нууц үг тохируулах"),
  },
  password: {
    subject: text("Ваш пароль", "Your password", "Таны нууц үг"),
    body: [
      text(
        "Учётная запись подтверждена. Пароль для первого входа: {password}",
        "Your account is confirmed. The password for the first sign-in: {password}",
        "Таны бүртгэл баталгаажлаа. Анх нэвтрэх нууц үг: {password}",
      ),
      text(
        "При первом входе система попросит задать свой пароль.",
        "At the first sign-in you will be asked to set your own password.",
        "Анх нэвтрэхэд өөрийн нууц үгийг тохируулахыг хүснэ.",
      ),
    ],
    action: text("Войти", "Sign in", "Нэвтрэх"),
  },
  invitation: {
    subject: text("Приглашение в {company}", "Invitation to {company}", "{company} руу урилга"),
    body: [
      text(
        "{inviter} приглашает вас работать в компании «{company}». Откройте ссылку и задайте пароль. Она действует 48 часов.",
        "{inviter} invites you to work in the company {company}. Open the link and set a password. It is valid for 48 hours.",
        "{inviter} таныг «{company}» компанид ажиллахыг урьж байна. Холбоосыг нээж нууц үгээ тохируулна уу. Холбоос 48 цаг хүчинтэй.",
      ),
    ],
    action: text("Принять приглашение", "Accept the invitation", "Урилгыг хүлээн авах"),
  },
  password_changed: {
    subject: text("Пароль изменён", "The password has been changed", "Нууц үг өөрчлөгдлөө"),
    body: [
      text(
        "Пароль вашей учётной записи изменён, все её сеансы завершены. Если это были не вы, восстановите пароль сейчас же.",
        "The password of your account has been changed and all its sessions have ended. If this was not you, recover the password now.",
        "Таны бүртгэлийн нууц үг өөрчлөгдөж, бүх холболт дууссан. Хэрэв энэ та биш бол нууц үгээ яаралтай сэргээнэ үү.",
      ),
    ],
    action: text("Восстановить пароль", "Recover the password", "Нууц үг сэргээх"),
  },
  address_changed: {
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
  },
  address_proof: {
    subject: text("Подтвердите новый адрес", "Confirm the new address", "Шинэ хаягаа баталгаажуулна уу"),
    body: [
      text(
        "Этот адрес указан как новый адрес для входа. Откройте ссылку, чтобы входить с ним. Она действует один час.",
        "This address was entered as the new sign-in address of an account. Open the link to sign in with it. It is valid for one hour.",
        "Энэ хаягийг нэвтрэх шинэ хаяг болгон оруулсан байна. Энэ хаягаар нэвтрэхийн тулд холбоосыг нээнэ үү. Холбоос нэг цаг хүчинтэй.",
      ),
      ignore,
    ],
    action: text("Подтвердить адрес", "Confirm the address", "Хаягийг баталгаажуулах"),
  },
  two_factor_on: {
    subject: text(
      "Двухфакторный вход включён",
      "Two-factor sign-in is on",
      "Хоёр шатлалт нэвтрэлт идэвхжлээ",
    ),
    body: [
      text(
        "При входе в вашу учётную запись теперь нужен одноразовый код. Если это были не вы, смените пароль и обратитесь к администратору компании.",
        "Signing in to your account now needs a one-time code. If this was not you, change the password and ask the administrator of your company.",
        "Таны бүртгэлд нэвтрэхэд одоо нэг удаагийн код хэрэгтэй. Хэрэв энэ та биш бол нууц үгээ сольж, компанийн администраторт хандана уу.",
      ),
    ],
    action: text("Войти", "Sign in", "Нэвтрэх"),
  },
  two_factor_off: {
    subject: text(
      "Двухфакторный вход выключен",
      "Two-factor sign-in is off",
      "Хоёр шатлалт нэвтрэлт унтарлаа",
    ),
    body: [
      text(
        "При входе в вашу учётную запись одноразовый код больше не нужен. Если это были не вы, сразу смените пароль и включите двухфакторный вход снова.",
        "Signing in to your account no longer needs a one-time code. If this was not you, change the password at once and set two-factor sign-in up again.",
        "Таны бүртгэлд нэвтрэхэд нэг удаагийн код хэрэггүй болсон. Хэрэв энэ та биш бол нууц үгээ нэн даруй сольж, хоёр шатлалт нэвтрэлтийг дахин идэвхжүүлнэ үү.",
      ),
    ],
    action: text("Войти", "Sign in", "Нэвтрэх"),
  },
} as const satisfies Record<string, Kind>;

export type LetterKind = keyof typeof letterKinds;

/** Parameters of each kind. `link` is the full URL of the letter's link. */
export interface LetterParams {
  activation: { readonly link: string };
  known_address: { readonly link: string };
  reset: { readonly link: string };
  password: { readonly link: string; readonly password: string };
  invitation: { readonly link: string; readonly company: string; readonly inviter: string };
  password_changed: { readonly link: string };
  address_proof: { readonly link: string };
  two_factor_on: { readonly link: string };
  two_factor_off: { readonly link: string };
  address_changed: { readonly link: string };
}

/** A letter of one kind with its parameters. */
export type LetterContent = {
  [Kind in LetterKind]: { readonly kind: Kind; readonly params: LetterParams[Kind] };
}[LetterKind];

/** Undefined for a kind unknown to this release (written by a newer process). */
export function kindOf(name: string): Kind | undefined {
  return Object.entries<Kind>(letterKinds).find(([known]) => known === name)?.[1];
}
