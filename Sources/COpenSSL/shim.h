#ifndef PUSHPIT_OPENSSL_SHIM_H
#define PUSHPIT_OPENSSL_SHIM_H
#include <openssl/asn1t.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// ---- Certificates (Sources/TLS) ----

// EVP_EC_gen is a macro over a variadic function.
static inline EVP_PKEY *pushpit_generate_p256(void) { return EVP_EC_gen("P-256"); }
// EVP_RSA_gen is a macro over a variadic function.
static inline EVP_PKEY *pushpit_generate_rsa(size_t bits) { return EVP_RSA_gen(bits); }
// sk_PKCS12_SAFEBAG_pop_free is a macro.
static inline void pushpit_free_bags(STACK_OF(PKCS12_SAFEBAG) *bags) {
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}
// sk_PKCS7_pop_free is a macro.
static inline void pushpit_free_safes(STACK_OF(PKCS7) *safes) { sk_PKCS7_pop_free(safes, PKCS7_free); }

// The functions of stacks are macros.
static inline int pushpit_count_safes(const STACK_OF(PKCS7) *safes) { return sk_PKCS7_num(safes); }
static inline PKCS7 *pushpit_safe(const STACK_OF(PKCS7) *safes, int index) { return sk_PKCS7_value(safes, index); }
static inline int pushpit_count_bags(const STACK_OF(PKCS12_SAFEBAG) *bags) { return sk_PKCS12_SAFEBAG_num(bags); }
static inline const PKCS12_SAFEBAG *pushpit_bag(const STACK_OF(PKCS12_SAFEBAG) *bags, int index) {
    return sk_PKCS12_SAFEBAG_value(bags, index);
}
// PKCS7_type_is_encrypted is a macro, and the contents are a union. NULL if the safe is not encrypted.
static inline X509_ALGOR *pushpit_encryption(const PKCS7 *safe) {
    if (!PKCS7_type_is_encrypted(safe) || !safe->d.encrypted || !safe->d.encrypted->enc_data) return NULL;
    return safe->d.encrypted->enc_data->algorithm;
}
// The contents are a union. Call it with an encrypted safe only.
static inline const ASN1_OCTET_STRING *pushpit_encrypted_contents(const PKCS7 *safe) {
    return safe->d.encrypted->enc_data->enc_data;
}
// Reading PBEPARAM takes a macro. Derives a key (id 1) or an initialization vector (id 2) of RFC 7292, appendix B. 1 on success.
static inline int pushpit_pbe_bytes(
    const X509_ALGOR *algorithm, const char *password, int id, int count, unsigned char *out) {
    const ASN1_TYPE *parameter = algorithm->parameter;
    PBEPARAM *values = parameter ? ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), parameter) : NULL;
    if (!values) return 0;
    long iterations = ASN1_INTEGER_get(values->iter);
    int done = iterations > 0 && iterations <= INT_MAX
        && PKCS12_key_gen_utf8(
               password, -1, values->salt->data, values->salt->length, id, (int)iterations, count, out, EVP_sha1());
    PBEPARAM_free(values);
    return done;
}
// The item is a macro.
static inline STACK_OF(PKCS12_SAFEBAG) *pushpit_read_bags(const unsigned char *bytes, long count) {
    return (STACK_OF(PKCS12_SAFEBAG) *)ASN1_item_d2i(NULL, &bytes, count, ASN1_ITEM_rptr(PKCS12_SAFEBAGS));
}
// Simplifies a call with five results. -1 if the number is too large.
static inline int64_t pushpit_mac_iterations(const PKCS12 *file) {
    const ASN1_INTEGER *iterations = NULL;
    int64_t count = 1;
    PKCS12_get0_mac(NULL, NULL, NULL, &iterations, file);
    return iterations && ASN1_INTEGER_get_int64(&count, iterations) != 1 ? -1 : count;
}
static inline const X509_ALGOR *pushpit_mac_algorithm(const PKCS12 *file) {
    const X509_ALGOR *algorithm = NULL;
    PKCS12_get0_mac(NULL, &algorithm, NULL, NULL, file);
    return algorithm;
}
// PKCS7_type_is_data is a macro.
static inline int pushpit_is_data(const PKCS7 *safe) { return PKCS7_type_is_data(safe) && safe->d.data; }

// ---- end of Certificates ----

// -- TLS sessions: each stands for a macro, which Swift does not import. SSL_CTX_set_options is a function, but the
// SSL_OP_... constants are macros. --
static inline void pushpit_SSL_CTX_set_mode(SSL_CTX *ctx, long mode) { SSL_CTX_set_mode(ctx, mode); }
static inline int pushpit_SSL_CTX_set_min_tls12(SSL_CTX *ctx) { return SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION); }
static inline void pushpit_SSL_CTX_set_options(SSL_CTX *ctx) { SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF); }
static inline int pushpit_SSL_CTX_disable_session_cache(SSL_CTX *ctx) { return SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF); }
static inline void pushpit_SSL_CTX_on_server_name(SSL_CTX *ctx, int (*call)(SSL *, int *, void *)) { SSL_CTX_set_tlsext_servername_callback(ctx, call); }
static inline int pushpit_SSL_set_host_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }
static inline long pushpit_BIO_memory(BIO *bio, char **start) { return BIO_get_mem_data(bio, start); }
static inline int pushpit_BIO_reset(BIO *bio) { return BIO_reset(bio); }

#endif
