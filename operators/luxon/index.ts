export { luxonTime } from './luxonTime.ts';
export { calendar, type CalendarLength, type CalendarOptions, type CalendarUnits } from './calendar.ts';
