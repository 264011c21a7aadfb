# client: Ruby, net/http and googleauth
# package: deb:ruby ruby-googleauth
# version: ruby -r googleauth/version -e "puts Google::Auth::VERSION"
# proxy: net/http reads only http_proxy
# set: `SSL_CERT_FILE=certs/ca.pem`; `https://localhost:2197` in the URL;
#   `credentials.token_credential_uri = "https://localhost:2197/token"`
# trap: googleauth ignores `token_uri` of the account: it gets access tokens from `www.googleapis.com`.
# trap: googleauth keeps its access token until it expires, also after 401, until you make new credentials.
# trap: net/http has no HTTP/2, so it cannot send to APNs.
# 
# accepted     | ok | 1
# bad token    | 400 INVALID_ARGUMENT | 1
# unregistered | 404 NOT_FOUND | 1
# expired      | 401 UNAUTHENTICATED; 401 UNAUTHENTICATED; new client: ok | 4
# too large    | 400 INVALID_ARGUMENT | 1
# quota        | 429 RESOURCE_EXHAUSTED | 1
# unavailable  | 503 UNAVAILABLE | 1
# GOAWAY       | - | HTTP/1.1 has no GOAWAY
# concurrent   | 500 ok | 501
require 'googleauth'
require 'json'
require 'net/http'

URL = URI("https://fcm.googleapis.com/v1/projects/#{ENV['PUSHPIT_FCM_PROJECT']}/messages:send")
SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
$stdout.sync = true

def new_credentials
  Google::Auth::ServiceAccountCredentials.make_creds(json_key_io: File.open(ENV['GOOGLE_APPLICATION_CREDENTIALS']), scope: SCOPE)
end

def push(credentials, token, text)
  fields = credentials.apply({ 'content-type' => 'application/json' })
  body = JSON.generate(message: { token: token, notification: { body: text } })
  answer = Net::HTTP.post(URL, body, fields)
  return 'ok' if answer.is_a?(Net::HTTPOK)
  "#{answer.code} #{JSON.parse(answer.body)['error']['status']}"
rescue StandardError => error
  error.class.name
end

puts "= ready #{ENV['PUSHPIT_URL']} #{ENV['PUSHPIT_CA']}"
credentials = new_credentials
while (line = $stdin.gets)
  order, size, *tokens = line.split
  credentials = new_credentials if order == 'new'
  next unless order == 'send'
  text = "Hello#{'x' * size.to_i}"
  threads = tokens.map { |token| Thread.new { push(credentials, token, text) } }
  threads.each { |thread| puts "= #{thread.value}" }
end
