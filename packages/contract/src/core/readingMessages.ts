import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Success messages of readings. */
export const readingMessages = {
  reading_confirmed: text("Сохранено и подтверждено", "Saved and confirmed", "Хадгалж, баталгаажуулсан"),
  reading_differs: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: прибор передал {measured}, введено {given}",
    "Saved as suspect, counts once it is confirmed: the meter said {measured}, {given} was entered",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: тоолуур {measured} гэж өгсөн, {given} оруулсан",
  ),
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
  reading_grown: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: прирост {grown} велик для предыдущего показания {before}",
    "Saved as suspect, counts once it is confirmed: the growth of {grown} is large for the reading before it, {before}",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: {grown} өсөлт өмнөх {before} заалтын хувьд их",
  ),
  readings_released: text(
    "Выпущено показаний: {count}",
    "Readings released: {count}",
    "Гаргасан заалт: {count}",
  ),
  readings_discarded: text(
    "Отброшено показаний: {count}",
    "Readings discarded: {count}",
    "Хаясан заалт: {count}",
  ),
} as const satisfies Record<string, Text>;
