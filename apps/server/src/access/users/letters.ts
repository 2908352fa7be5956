import { defineLetter, ignoreLetter, letterText as text } from "#access/letters";

export const firstPassword = defineLetter({
  id: "password",
  parameters: ["password"],
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
});

export const invitation = defineLetter({
  id: "invitation",
  parameters: ["company", "inviter"],
  subject: text("Приглашение в {company}", "Invitation to {company}", "{company} руу урилга"),
  body: [
    text(
      "{inviter} приглашает вас работать в компании «{company}». Откройте ссылку и задайте пароль. Она действует 48 часов.",
      "{inviter} invites you to work in the company {company}. Open the link and set a password. It is valid for 48 hours.",
      "{inviter} таныг «{company}» компанид ажиллахыг урьж байна. Холбоосыг нээж нууц үгээ тохируулна уу. Холбоос 48 цаг хүчинтэй.",
    ),
  ],
  action: text("Принять приглашение", "Accept the invitation", "Урилгыг хүлээн авах"),
});

export const passwordChanged = defineLetter({
  id: "password_changed",
  parameters: [],
  subject: text("Пароль изменён", "The password has been changed", "Нууц үг өөрчлөгдлөө"),
  body: [
    text(
      "Пароль вашей учётной записи изменён, все её сеансы завершены. Если это были не вы, восстановите пароль сейчас же.",
      "The password of your account has been changed and all its sessions have ended. If this was not you, recover the password now.",
      "Таны бүртгэлийн нууц үг өөрчлөгдөж, бүх холболт дууссан. Хэрэв энэ та биш бол нууц үгээ яаралтай сэргээнэ үү.",
    ),
  ],
  action: text("Восстановить пароль", "Recover the password", "Нууц үг сэргээх"),
});

export const addressProof = defineLetter({
  id: "address_proof",
  parameters: [],
  subject: text("Подтвердите новый адрес", "Confirm the new address", "Шинэ хаягаа баталгаажуулна уу"),
  body: [
    text(
      "Этот адрес указан как новый адрес для входа. Откройте ссылку, чтобы входить с ним. Она действует один час.",
      "This address was entered as the new sign-in address of an account. Open the link to sign in with it. It is valid for one hour.",
      "Энэ хаягийг нэвтрэх шинэ хаяг болгон оруулсан байна. Энэ хаягаар нэвтрэхийн тулд холбоосыг нээнэ үү. Холбоос нэг цаг хүчинтэй.",
    ),
    ignoreLetter,
  ],
  action: text("Подтвердить адрес", "Confirm the address", "Хаягийг баталгаажуулах"),
});

/** Letters about accounts and their passwords. */
export const accountLetters = [firstPassword, invitation, passwordChanged, addressProof] as const;
