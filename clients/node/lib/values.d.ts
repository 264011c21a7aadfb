/** A duration such as "250ms", "5s", "1m" or "1h", or a number of milliseconds. */
export type Duration = string | number
/** A time such as "2027-01-01T00:00:00Z". */
export type Time = string | Date
/** A whole text, its beginning, or a regular expression. */
export type Text = string | { prefix: string } | { regex: string }
export type Platform = 'ios' | 'android' | 'web'
export type Provider = 'apns' | 'fcm'
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
