// A program for the terminal, with Go's standard library only: it signs the member in with the browser, lists their
// newest posts, and revokes the tokens. It keeps nothing, so it needs no refresh.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
)

var issuer, clientID = os.Getenv("ISSUER"), os.Getenv("CLIENT_ID")

// The callback address that the application is registered with is on this machine.
var address = "127.0.0.1:" + os.Getenv("PORT")
var callback = "http://" + address + "/callback"

func main() {
	log.SetFlags(0)
	var tokens struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	code, verifier := signIn()
	post("/api/oauth/token", &tokens, url.Values{
		"grant_type": {"authorization_code"}, "code": {code},
		"redirect_uri": {callback}, "code_verifier": {verifier},
	})
	var me struct{ Username string }
	get("/me", tokens.Access, &me)
	var posts struct {
		Items []struct{ Title, CreatedAt string } // in UTC+8, without an offset
	}
	get("/me/posts?size=50", tokens.Access, &posts)
	fmt.Printf("The posts of %s:\n", me.Username)
	for _, item := range posts.Items {
		fmt.Printf("%.10s  %s\n", item.CreatedAt, item.Title)
	}

	// Ends the whole sign-in. Access for one sign-in only has no refresh token.
	if tokens.Refresh != "" {
		post("/api/oauth/revoke", new(any), url.Values{"token": {tokens.Refresh}})
	}
}

// signIn sends the member to the community, and waits on the callback address for the code.
func signIn() (code, verifier string) {
	state, verifier := random(), random()
	challenge := sha256.Sum256([]byte(verifier))
	listener, err := net.Listen("tcp", address)
	check(err)
	fmt.Printf("Open this address to sign in:\n%s/oauth/authorize?%s\n", issuer, url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {callback},
		"scope": {"profile:read posts:read"}, "state": {state},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"code_challenge_method": {"S256"},
	}.Encode())

	answers := make(chan url.Values, 1)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		// Any page can send the browser here, but only the community knows the state.
		if r.URL.Path == "/callback" && query.Get("state") == state && query.Get("iss") == issuer {
			fmt.Fprintln(w, "You can close this window and go back to the terminal.")
			answers <- query
		}
	})}
	go server.Serve(listener)
	answer := <-answers
	server.Shutdown(context.Background()) // after the browser has its page
	if answer.Has("error") {
		log.Fatal(answer.Get("error_description"))
	}
	return answer.Get("code"), verifier
}

func get(path, token string, into any) {
	request, err := http.NewRequest("GET", issuer+"/api/open/v1"+path, nil)
	check(err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	check(err)
	read(response, into)
}

func post(path string, into any, form url.Values) {
	form.Set("client_id", clientID)
	response, err := http.PostForm(issuer+path, form)
	check(err)
	read(response, into)
}

func read(response *http.Response, into any) {
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s answered with %s", response.Request.URL.Path, response.Status)
	}
	check(json.NewDecoder(response.Body).Decode(into))
}

func random() string {
	bytes := make([]byte, 32)
	_, err := rand.Read(bytes)
	check(err)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
