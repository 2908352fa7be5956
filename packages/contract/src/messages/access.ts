import { text, type Messages } from "./text.ts";

/** Messages of success of sign-in, users and companies. */
export const accessMessages = {
  company_created: text("Компания создана", "The company has been created", "Компани үүсгэсэн"),
  company_switched_on: text("Компания включена", "The company is switched on", "Компани идэвхжсэн"),
  company_switched_off: text("Компания выключена", "The company is switched off", "Компани идэвхгүй болсон"),
  company_deleted: text("Компания удалена", "The company has been deleted", "Компани устгагдсан"),
  company_restored: text("Компания восстановлена", "The company has been restored", "Компани сэргээгдсэн"),
  company_moved: text("Компания перенесена", "The company has been moved", "Компани шилжсэн"),
  company_left: text("Вы вышли из компании", "You have left the company", "Та компаниас гарлаа"),
  view_saved: text("Вид сохранён", "The view has been saved", "Харагдацыг хадгаллаа"),
  view_removed: text("Вид удалён", "The view has been removed", "Харагдацыг устгалаа"),
  registered: text(
    "Мы отправили письмо на указанный адрес. Откройте ссылку из него, чтобы завершить регистрацию",
    "We have sent a letter to this address. Open the link in it to complete the registration",
    "Бид энэ хаяг руу захидал илгээлээ. Бүртгэлээ дуусгахын тулд доторх холбоосыг нээнэ үү",
  ),
  activated: text(
    "Регистрация подтверждена, можно войти",
    "The registration is confirmed, you can sign in",
    "Бүртгэл баталгаажлаа, нэвтэрч болно",
  ),
  activated_password_sent: text(
    "Регистрация подтверждена. Пароль для первого входа отправлен письмом",
    "The registration is confirmed. The password for the first sign-in has been sent by letter",
    "Бүртгэл баталгаажлаа. Анх нэвтрэх нууц үгийг захидлаар илгээлээ",
  ),
  address_link_sent: text(
    "На новый адрес отправлено письмо со ссылкой. До её открытия вход остаётся по прежнему адресу",
    "A letter with a link was sent to the new address. Until it is opened you sign in with the present one",
    "Шинэ хаяг руу холбоостой захидал илгээсэн. Нээх хүртэл одоогийн хаягаар нэвтэрнэ",
  ),
  address_changed: text(
    "Адрес подтверждён: входите с ним",
    "The address is confirmed: sign in with it",
    "Хаяг баталгаажлаа: үүгээр нэвтэрнэ үү",
  ),
  password_asked: text(
    "Если такой адрес есть, мы отправили на него письмо со ссылкой",
    "If an account with this address exists, we have sent it a letter with a link",
    "Ийм хаяг байгаа бол бид холбоостой захидал илгээсэн",
  ),
  password_set: text(
    "Пароль изменён, войдите с новым",
    "The password has been changed, sign in with the new one",
    "Нууц үг өөрчлөгдлөө, шинээр нэвтэрнэ үү",
  ),
  two_factor_on: text(
    "Двухфакторный вход включён, остальные сеансы завершены",
    "Two-factor sign-in is on, all other sessions have ended",
    "Хоёр шатлалт нэвтрэлт идэвхжиж, бусад холболт дууссан",
  ),
  two_factor_off: text(
    "Двухфакторный вход выключен, остальные сеансы завершены",
    "Two-factor sign-in is off, all other sessions have ended",
    "Хоёр шатлалт нэвтрэлт унтарч, бусад холболт дууссан",
  ),
  member_two_factor_off: text(
    "Двухфакторный вход пользователя выключен, его сеансы завершены",
    "Two-factor sign-in of the user is off, all their sessions have ended",
    "Хэрэглэгчийн хоёр шатлалт нэвтрэлт унтарч, холболтууд нь дууссан",
  ),
  recovery_codes_made: text(
    "Новые резервные коды готовы, прежние не действуют",
    "New recovery codes are ready, the earlier ones no longer work",
    "Шинэ нөөц код бэлэн, өмнөх код хүчингүй",
  ),
  password_changed: text(
    "Пароль изменён, остальные сеансы и ключи API завершены",
    "The password has been changed; all other sessions and API tokens have ended",
    "Нууц үг өөрчлөгдөж, бусад холболт, API түлхүүр дууссан",
  ),
  session_ended: text("Сеанс завершён", "The session has ended", "Холболт дууссан"),
  other_sessions_ended: text(
    "Остальные сеансы завершены",
    "All other sessions have ended",
    "Бусад холболт дууссан",
  ),
  token_created: text("Ключ API создан", "The API token has been created", "API түлхүүр үүсгэсэн"),
  subscribed: text("Подписка оформлена", "You are subscribed", "Та бүртгүүллээ"),
  unsubscribed: text("Подписка отключена", "You are no longer subscribed", "Бүртгэл цуцлагдлаа"),
  licence_taken: text("Лицензия принята", "The licence is in use", "Лицензийг хүлээн авлаа"),
  user_invited: text(
    "Приглашение отправлено: {email}",
    "The invitation has been sent: {email}",
    "Урилга илгээсэн: {email}",
  ),
  user_address_link_sent: text(
    "На новый адрес отправлено письмо со ссылкой. До её открытия пользователь входит по прежнему",
    "A letter with a link was sent to the new address. Until it is opened the user signs in with the present one",
    "Шинэ хаяг руу холбоостой захидал илгээсэн. Нээх хүртэл хэрэглэгч одоогийн хаягаар нэвтэрнэ",
  ),
  user_switched_on: text("Пользователь включён", "The user is switched on", "Хэрэглэгч идэвхжсэн"),
  user_switched_off: text(
    "Пользователь выключен, его сеансы завершены",
    "The user is switched off, all their sessions have ended",
    "Хэрэглэгч идэвхгүй болж, сешнүүд нь дууссан",
  ),
  user_deleted: text("Пользователь удалён", "The user has been removed", "Хэрэглэгчийг устгасан"),
  sessions_ended: text(
    "Все сеансы пользователя завершены",
    "All sessions of the user have ended",
    "Хэрэглэгчийн бүх сешн дууссан",
  ),
  group_created: text("Группа создана", "The group has been created", "Бүлэг үүсгэсэн"),
  group_deleted: text("Группа удалена", "The group has been removed", "Бүлгийг устгасан"),
} as const satisfies Messages;
