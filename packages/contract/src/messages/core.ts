import { text, type Messages } from "./text.ts";

/** Messages of success of more than one wing. */
export const coreMessages = {
  saved: text("Сохранено", "Saved", "Хадгалсан"),
  signed_out: text("Вы вышли из системы", "You have signed out", "Та системээс гарлаа"),
  users_tied: text("Привязано пользователей: {count}", "Users tied: {count}", "Холбосон хэрэглэгч: {count}"),
  reading_below: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: {given} меньше предыдущего показания {before}",
    "Saved as suspect, counts once it is confirmed: {given} is below the reading before it, {before}",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: {given} нь өмнөх {before} заалтаас бага",
  ),
  reading_beyond: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: {given} больше следующего показания {after}",
    "Saved as suspect, counts once it is confirmed: {given} is above the reading after it, {after}",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: {given} нь дараагийн {after} заалтаас их",
  ),
  reading_above: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: прирост {grown} намного больше обычного: {expected}",
    "Saved as suspect, counts once it is confirmed: the growth of {grown} is far above the usual {expected}",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: {grown} өсөлт ердийн {expected} хэмжээнээс хэт их",
  ),
} as const satisfies Messages;
